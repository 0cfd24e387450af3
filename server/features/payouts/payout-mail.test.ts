import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { jobs } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { confirmEmail, sendMails } from '#test/mails.ts'
import { exportedBatch, latestPayoutOf, payoutPaid, payoutReturned } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { type CardFields, submittedIn } from '#test/submissions.ts'
import { enqueuePayoutMails } from './payout-mail.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller('sally')
  staff = await server.staff()
  await confirmEmail(server, seller)
})

/** Submissions whose payouts were exported, with the email that says so enqueued. */
async function exported(
  fields: CardFields | ((index: number) => CardFields),
  { count = 1, expectedOn }: { count?: number; expectedOn?: string } = {},
) {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const card = typeof fields === 'function' ? fields(index) : fields
    ids.push(await submittedIn('processing', { seller, staff }, card))
  }
  await sendMails(server)
  const batch = await exportedBatch(server, ids, { expectedOn: expectedOn ?? null })
  await transaction(server.db, (tx) => enqueuePayoutMails(tx, batch))
  return { ids, batch }
}

const bank = {
  paymentType: 'bank_transfer',
  paymentRoutingNumber: '021000021',
  paymentAccountNumber: '98765432',
}

it('says once that a payout was sent, how, and when it should arrive', async () => {
  const { ids, batch } = await exported({})
  await transaction(server.db, (tx) => enqueuePayoutMails(tx, batch))
  const mails = await sendMails(server)
  expect(mails).toHaveLength(1)
  const text = mails[0]?.text
  const { id } = await latestPayoutOf(server, ids[0] ?? '')
  expect(text).toContain(`Payment reference: ${id.slice(-4).toUpperCase()}`)
  expect(mails[0]?.subject).toBe('Your payout is on its way: $93.00 for your Amazon card')
  expect(text).toContain('We are sending it by PayPal. It usually arrives the same day.')
  expect(text).toContain(
    'Gift card: Amazon •••• 5678, $100.00\nYou receive: $93.00\nPayout to: PayPal, s•••@example.com',
  )
  expect(text).toContain(`\nCard reference: ${referenceOf(ids[0] ?? '')}\n`)
  await exported(bank, { expectedOn: '2026-11-24' })
  const [byBank] = await sendMails(server)
  expect(byBank?.text).toContain('We are sending it by bank transfer.')
  expect(byBank?.text).toContain('It should arrive by Tuesday, November 24.')
  expect(byBank?.text).toContain('Expected by: Tuesday, November 24')
})

it('names all payouts of a batch to the same account in one email, except payouts that came back', async () => {
  const { ids, batch } = await exported({}, { count: 3 })
  const elsewhere = await submittedIn(
    'processing',
    { seller, staff },
    { paymentAccountInfo: 'other@example.com' },
  )
  await sendMails(server)
  const both = await exportedBatch(server, [elsewhere])
  await transaction(server.db, (tx) => enqueuePayoutMails(tx, both))
  await server.pool.query("update payouts set state = 'void' where batch_id = $1 and gift_card_id = $2", [
    batch,
    ids[0],
  ])
  await transaction(server.db, (tx) => enqueuePayoutMails(tx, batch))
  const mails = await sendMails(server)
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    'Your payout is on its way: $186.00 for 2 cards',
    'Your payout is on its way: $93.00 for your Amazon card',
  ])
  const text = mails.find(({ subject }) => subject.includes('2 cards'))?.text
  expect(text).toContain('Each card is a separate payment, 2 in all.')
  expect(text).toContain(referenceOf(ids[1] ?? ''))
  expect(text).not.toContain(referenceOf(ids[0] ?? ''))
})

it('says nothing when a worksheet is downloaded, whose payouts are sent one by one', async () => {
  const { ids } = await exported({ paymentType: 'zelle' })
  expect(await sendMails(server)).toEqual([])
  const { json } = await seller.get(`/api/user/gift-cards/${ids[0]}`)
  expect(json.payout).toMatchObject({ state: 'due', sentAt: null })
})

it('says nothing about a payout of a file that the bank rejected before the email was sent', async () => {
  const { batch } = await exported({})
  await server.pool.query("update payouts set state = 'void' where batch_id = $1", [batch])
  expect(await sendMails(server)).toEqual([])
})

it('of a large batch is spread over time, so that other emails get through', async () => {
  const { batch } = await exported((index) => ({ paymentAccountInfo: `${index}@example.com` }), { count: 21 })
  const { rows } = await server.pool.query(
    `select extract(epoch from max(run_at) - min(run_at))::int as seconds from jobs
     where kind = 'payoutMail' and payload->>'payoutId' in (select id::text from payouts where batch_id = $1)`,
    [batch],
  )
  expect(rows).toEqual([{ seconds: 1 }])
  await server.db.delete(jobs).where(eq(jobs.kind, 'payoutMail'))
})

it('tells how a completed submission was paid, in other words after a file than by hand', async () => {
  const byHand = await submittedIn('processing', { seller, staff })
  await sendMails(server)
  await staff.patch(`/api/admin/submissions/${byHand}/status`, { status: 'completed', reference: 'PP-9' })
  const [sent] = await sendMails(server)
  expect(sent?.text).toContain('We sent your payout.')
  expect(sent?.text).toContain('PayPal confirmation: PP-9\nDate: ')
  const { ids } = await exported({})
  await sendMails(server)
  await payoutPaid(server, ids[0] ?? '', 'PP-10')
  const [arrived] = await sendMails(server)
  expect(arrived?.text).toContain('the money should be in your account')
  expect(arrived?.text).toContain('PayPal confirmation: PP-10')
  const { id } = await latestPayoutOf(server, ids[0] ?? '')
  expect(arrived?.text).toContain(`Payment reference: ${id.slice(-4).toUpperCase()}\n`)
  const { ids: early } = await exported(bank, { expectedOn: '2999-12-01' })
  await sendMails(server)
  await payoutPaid(server, early[0] ?? '', 'B-1')
  const [expected] = await sendMails(server)
  expect(expected?.text).toContain('We sent your payout, and it should arrive by Sunday, December 1.')
  expect(expected?.text).toContain('Sent to you: $93.00')
  expect(expected?.text).not.toContain('should be in your account')
})

it('tells once about the payouts of a batch that are paid one by one within a minute', async () => {
  const { ids } = await exported({ paymentType: 'zelle' }, { count: 3 })
  for (const [index, id] of ids.entries()) await payoutPaid(server, id, `ZL-${index}`)
  expect(await sendMails(server), 'wait for more payouts').toEqual([])
  await server.pool.query(`
    alter table status_history disable trigger user;
    update status_history set at = at + interval '2 minutes' where gift_card_id = '${ids[2]}' and move = 'complete';
    alter table status_history enable trigger user;
    update jobs set run_at = now() where kind = 'statusMail' and done_at is null`)
  const mails = (await sendMails(server)).toSorted((one, other) => (one.subject < other.subject ? -1 : 1))
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Paid: $186.00 for 2 cards',
    'Paid: $93.00 for your Amazon card',
  ])
  for (const number of ['ZL-0', 'ZL-1']) expect(mails[0]?.text).toContain(`Zelle confirmation: ${number}`)
})

it('says in the language of the seller why the money came back, once', async () => {
  await seller.put('/api/user/locale', { locale: 'es' })
  const { ids } = await exported({})
  await payoutReturned(server, ids[0] ?? '', { code: 'R02' })
  const mails = await sendMails(server)
  // Not that it was sent: that was not mailed yet, and is no longer true.
  expect(mails.map(({ subject }) => subject)).toEqual(['Nos devolvieron su pago de $93.00'])
  expect(mails[0]?.text).toContain('La cuenta bancaria está cerrada')
  expect(mails[0]?.text).toContain(`Indicar otra cuenta: http://localhost/es/account/card?id=${ids[0]}`)
  const completed = await submittedIn('completed', { seller, staff })
  await sendMails(server)
  await payoutReturned(server, completed, { reason: 'PayPal closed it' })
  const again = await sendMails(server)
  expect(again.map(({ subject }) => subject)).toEqual(['Nos devolvieron su pago de $93.00'])
  expect(again[0]?.text).toContain('PayPal closed it')
  await seller.put('/api/user/locale', { locale: 'en' })
})
