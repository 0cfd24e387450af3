import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { inventory, payouts } from '#server/platform/database/schema.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'

let shop: TestApp
let seller: Person
let staff: Person

beforeAll(async () => {
  shop = await createTestApp()
  seller = await shop.seller('sam')
  staff = await shop.staff()
})

const move = (id: string, status: string, more: object = {}) =>
  staff.patch(`/api/admin/submissions/${id}/status`, { status, ...more })

/** The states of the payouts of a submission, oldest first. */
async function statesOf(id: string): Promise<string[]> {
  const rows = await shop.db
    .select({ state: payouts.state })
    .from(payouts)
    .where(eq(payouts.giftCardId, id))
    .orderBy(payouts.number)
  return rows.map(({ state }) => state)
}

/** What a submission did to each account, in cents, without accounts whose balance is 0. */
async function balancesOf(id: string): Promise<Record<string, number>> {
  const { rows } = await shop.db.execute<{ account: string; balance: string }>(sql`
    select account, sum(amount) as balance from ledger_lines
    join ledger_entries on ledger_entries.id = entry_id
    where gift_card_id = ${id} group by account having sum(amount) <> 0`)
  return Object.fromEntries(rows.map(({ account, balance }) => [account, Number(balance)]))
}

const inStock = async (id: string) => (await shop.db.$count(inventory, eq(inventory.giftCardId, id))) === 1

it('owes the price from the approval, and pays it when the submission is completed', async () => {
  const id = await submitted(seller)
  await move(id, 'processing')
  expect(await statesOf(id)).toEqual(['due'])
  expect(await balancesOf(id)).toEqual({ incoming: 9300, payouts_payable: -9300 })
  await move(id, 'completed', { reference: 'PP-1' })
  expect(await statesOf(id)).toEqual(['paid'])
  expect(await balancesOf(id)).toEqual({ stock: 9300, 'cash:paypal': -9300 })
  expect(await inStock(id)).toBe(true)
  const [payout] = await shop.db.select().from(payouts).where(eq(payouts.giftCardId, id))
  expect(payout).toMatchObject({
    amount: 9300,
    reference: 'PP-1',
    byHand: true,
    accountHint: 's•••@example.com',
  })
})

it('a revert takes the payment and the stock back', async () => {
  const id = await submitted(seller)
  const { json } = await move(id, 'completed')
  await move(id, 'processing', { version: json.version })
  expect(await statesOf(id)).toEqual(['due'])
  expect(await balancesOf(id)).toEqual({ incoming: 9300, payouts_payable: -9300 })
  expect(await inStock(id)).toBe(false)
})

it('a failed payout is void, and one that is tried again is due once', async () => {
  const id = await submitted(seller)
  await move(id, 'processing')
  await move(id, 'failed', { reason: 'The account is closed' })
  expect(await statesOf(id)).toEqual(['void'])
  expect(await balancesOf(id)).toEqual({})
  await move(id, 'processing')
  expect(await statesOf(id)).toEqual(['void', 'due'])
})

it('an undone approval leaves nothing owed', async () => {
  const id = await submitted(seller)
  const { json } = await move(id, 'completed', { undoable: true })
  const undone = await staff.post(`/api/admin/submissions/${id}/undo`, { version: json.version })
  expect(undone.status).toBe(200)
  expect(await statesOf(id)).toEqual(['void'])
  expect(await balancesOf(id)).toEqual({})
  expect(await inStock(id)).toBe(false)
})

it('an accepted offer owes what was offered', async () => {
  const id = await submitted(seller)
  await move(id, 'offered', { amount: '74.40', reason: 'It holds $80' })
  await seller.post(`/api/user/gift-cards/${id}/accept`, { amount: '74.40' })
  expect(await balancesOf(id)).toEqual({ incoming: 7440, payouts_payable: -7440 })
})

it('the database refuses a second live payout, an unbalanced entry and any change of an old one', async () => {
  const id = await submitted(seller)
  await move(id, 'processing')
  const refused = (query: ReturnType<typeof sql>) =>
    shop.db.execute(query).then(
      () => 'accepted',
      ({ cause }) => cause.constraint ?? cause.message,
    )
  expect(
    await refused(sql`
      insert into payouts (id, gift_card_id, seller_id, amount, payment_type, account_hint)
      select gen_random_uuid(), gift_card_id, seller_id, amount, payment_type, account_hint
      from payouts where gift_card_id = ${id}`),
  ).toBe('payouts_one_live')
  const entry = sql`(select max(id) from ledger_entries)`
  expect(
    await refused(
      sql`insert into ledger_lines (entry_id, line, account, amount) values (${entry}, 8, 'stock', 5), (${entry}, 9, 'losses', -5)`,
    ),
  ).toBe('ledger_complete')
  expect(
    await refused(sql`
      with entry as (insert into ledger_entries (event) values ('sold') returning id)
      insert into ledger_lines (entry_id, line, account, amount)
      select id, 1, 'stock', 5 from entry union all select id, 2, 'losses', -4 from entry`),
  ).toBe('ledger_balanced')
  expect(await refused(sql`insert into ledger_entries (event) values ('sold')`)).toBe('ledger_balanced')
  expect(await refused(sql`update ledger_lines set amount = 1`)).toMatch('append-only')
  expect(await refused(sql`delete from ledger_entries`)).toMatch('append-only')
  expect(await refused(sql`truncate ledger_lines`)).toMatch('append-only')
})

it('clear-all voids what is due', async () => {
  const id = await submitted(seller)
  await move(id, 'processing')
  await staff.delete('/api/admin/submissions')
  expect(await statesOf(id)).toEqual(['void'])
  expect(await balancesOf(id)).toEqual({})
})

it('a card that was used stays approved, also when its payment is reverted', async () => {
  const id = await submitted(seller)
  const { json } = await move(id, 'completed')
  await shop.db
    .update(inventory)
    .set({ state: 'used', leftAt: sql`now()` })
    .where(eq(inventory.giftCardId, id))
  await move(id, 'processing', { version: json.version })
  const failed = await move(id, 'failed', { reason: 'The account is closed' })
  expect([failed.status, failed.json.code]).toEqual([409, 'card_gone'])
  await staff.delete('/api/admin/submissions')
  expect(await statesOf(id)).toEqual(['due'])
})
