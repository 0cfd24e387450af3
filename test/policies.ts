import type pg from 'pg'
import type { PolicyTermsTyped } from '#contract/policies.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import type { TestApp } from './app.ts'
import { accepted, type Person } from './person.ts'
import { submitted } from './submissions.ts'
import { WebhookReceiver } from './webhook-receiver.ts'

/** A policy that approves cards of `amazonCard`, but for the sample. */
export const policyTerms: PolicyTermsTyped = {
  name: 'Small Amazon cards',
  brands: ['amazon'],
  maxFaceValue: '100.00',
  minAccountDays: 30,
  minCompletedSales: 2,
  waitMinutes: 0,
  sellerLimit: '1000.00',
  shopLimit: '5000.00',
  samplePercent: 5,
}

/** Adds a policy and turns it on, or into shadow mode. The two are different people. */
export async function policyIn(
  mode: 'on' | 'shadow',
  { author, approver }: { author: Person; approver: Person },
  terms: Partial<PolicyTermsTyped> = {},
): Promise<string> {
  const body = { ...policyTerms, ...terms, mode: 'shadow' }
  const { id, version } = (await accepted(author.post('/api/admin/policies', body))).json
  if (mode === 'on') await accepted(approver.post(`/api/admin/policies/${id}/mode`, { mode, version }))
  return id
}

/** A service that finds $100 on every Amazon card. */
export async function balanceService(owner: Person): Promise<WebhookReceiver> {
  const service = await WebhookReceiver.start()
  service.answer = { json: '{"status":"ok","amount":"100.00"}' }
  await accepted(owner.put('/api/admin/balance-connectors/amazon', { url: service.url }))
  return service
}

/** A seller who meets every condition of `policyTerms` with cards paid to `account`. */
export async function trustedSeller({ seller: register, pool }: Pick<TestApp, 'seller' | 'pool'>) {
  const seller = await register()
  const account = { paymentAccountInfo: seller.email }
  const earlier = await submitted(seller, account)
  await accepted(seller.post(`/api/user/gift-cards/${earlier}/withdraw`))
  await trust(pool, seller.id)
  return { seller, account, submit: () => submitted(seller, account) }
}

/** Makes a seller one of a year ago, who has been paid twice. Their cards are of a month ago. */
export async function trust(pool: pg.Pool, sellerId: string): Promise<void> {
  for (const set of [
    "gift_cards set created_at = now() - interval '30 days' where seller_id",
    "users set verified = true, trade_count = 2, created_at = now() - interval '1 year' where id",
    "known_browsers set known_since = now() - interval '1 year' where account_id",
  ]) {
    await pool.query(`update ${set} = $1`, [sellerId])
  }
}

/** Asks for balances and lets policies decide, as the workers of a server do with what is due now. */
export async function workOnBalances({
  context,
  pool,
  push,
}: Pick<TestApp, 'context' | 'pool' | 'push'>): Promise<void> {
  const handlers = jobHandlers(context, { sendMail: async () => {} }, push)
  for (;;) {
    const { rows } = await pool.query(`
      update jobs set done_at = now() where id = (
        select id from jobs where kind in ('askBalance', 'decideByPolicy') and done_at is null and run_at <= now()
        order by run_at limit 1
      ) returning id, kind, payload`)
    if (!rows[0]) return
    const { id, kind, payload } = rows[0]
    await handlers[kind as 'askBalance' | 'decideByPolicy'](payload, id)
  }
}
