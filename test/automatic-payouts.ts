import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'
import { accepted, type Person } from './person.ts'
import { type CardFields, submittedIn } from './submissions.ts'

/** A new policy that is on and pays at once. @returns its id */
export async function payingPolicy({ pool }: Pick<TestApp, 'pool'>, name = 'Amazon'): Promise<string> {
  const id = randomUUID()
  await pool.query(
    `insert into policies (id, version, mode, name, brands, max_face_value, min_account_days, min_completed_sales, wait_minutes,
        seller_limit, shop_limit, sample_percent, pays_at_once, written_by, by_id)
      select $1, 1, 'on', $2, '{amazon}', 20000, 0, 0, 0, 1000000, 10000000, 5, true, id, id from administrators limit 1`,
    [id, name],
  )
  return id
}

/** Adds a version with another mode. */
export async function setMode({ pool }: TestApp, policyId: string, mode: 'off' | 'on'): Promise<void> {
  await pool.query(
    `insert into policies
      select id, version + 1, $2, name, brands, max_face_value, min_account_days, min_completed_sales, wait_minutes,
        seller_limit, shop_limit, sample_percent, pays_at_once, written_by, by_id, now()
      from policies where id = $1 order by version desc limit 1`,
    [policyId, mode],
  )
}

/** An approved card whose policy pays at once. Its job waits. @returns the card's id */
export async function approvedToPay(
  server: TestApp,
  { seller, staff, policyId }: { seller: Person; staff: Person; policyId: string },
  fields: CardFields = {},
): Promise<string> {
  const { pool } = server
  await pool.query('update users set verified = true where id = $1', [seller.id])
  const id = await submittedIn('processing', { seller, staff }, fields)
  await pool.query(
    `insert into policy_decisions (id, gift_card_id, policy_id, policy_version, mode, outcome, price)
      select gen_random_uuid(), id, $2, 1, 'on', 'approved', selling_price from gift_cards where id = $1`,
    [id, policyId],
  )
  await pool.query(
    `insert into jobs (id, kind, key, payload) values (gen_random_uuid(), 'payAtOnce', $1, jsonb_build_object('giftCardId', $1::text))`,
    [id],
  )
  return id
}

/** Lets the service know the balances of the brand's cards. */
export async function connect(owner: Person, url: string, brand = 'amazon'): Promise<void> {
  await accepted(owner.put(`/api/admin/balance-connectors/${brand}`, { url }))
}
