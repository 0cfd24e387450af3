import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WireBatch } from '#contract/payouts.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import { createTestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { batchOf, duePayout, latestPayoutOf, pathOf } from '#test/payouts.ts'
import { PaypalEmulator } from '#test/paypal.ts'
import { accepted, type Person } from '#test/person.ts'
import { advanceBatches } from './advance.ts'

/** Batches of which PayPal's answer never came, so that after 25 days only people can end them. */

const emulator = await PaypalEmulator.start()
const server = await createTestApp({ payoutProvider: emulator.provider() })
await ensureInstallation(server.db)
const seller = await server.seller('sally')
const staff = await server.staff()
const fred = await server.staff('fred', 'payer')

beforeEach(async () => {
  await server.db.execute(sql`update payout_batches set provider_next_at = null`)
  emulator.heal()
  emulator.batches.length = 0
  emulator.calls.length = 0
  emulator.outcomes.clear()
})

let wallets = 0

interface Lost {
  readonly id: string
  readonly wallets: string[]
  /** Submissions. */
  readonly cards: string[]
}

/** A batch whose request was lost, or whose answer was. */
async function lost(connection: 'drop' | 'lose', { count = 1, days = 26 } = {}): Promise<Lost> {
  const accounts = Array.from({ length: count }, () => `wallet${++wallets}@example.com`)
  const due = []
  for (const account of accounts)
    due.push(await duePayout(server, seller, staff, { paymentAccountInfo: account }))
  emulator.fail('create', { connection })
  const { id } = await released(due.map((payout) => payout.id))
  await step()
  await server.db.execute(
    sql`update payout_batches set released_at = now() - make_interval(days => ${days}) where id = ${id}`,
  )
  emulator.fail('create', { connection: 'drop' })
  await step()
  emulator.heal()
  return { id, wallets: accounts, cards: due.map(({ submissionId }) => submissionId) }
}

async function released(payoutIds: string[]): Promise<WireBatch> {
  const batch = await batchOf(staff, 'paypal', payoutIds)
  await accepted(fred.post(`${pathOf(batch)}/freeze`))
  return (await accepted(staff.post(`${pathOf(batch)}/release`))).json
}

/** Makes the next step of every batch that has one. */
async function step(): Promise<void> {
  await server.db.execute(
    sql`update payout_batches set provider_next_at = now() where provider_next_at is not null`,
  )
  await advanceBatches(server.context, new AbortController().signal)
}

const enter = (by: Person, { id }: { id: string }, providerBatchId: string) =>
  by.post(`${pathOf({ id })}/provider-batch`, { providerBatchId })
const report = (by: Person, { id }: { id: string }) =>
  by.post(`${pathOf({ id })}/reject`, { reason: 'Not in the activity of November' })
const confirm = (by: Person, { id }: { id: string }) => by.post(`${pathOf({ id })}/reject/confirm`)

async function abandon(batch: Lost): Promise<void> {
  await accepted(report(fred, batch))
  await accepted(confirm(staff, batch))
}

const batchNow = async ({ id }: { id: string }): Promise<WireBatch> => (await staff.get(pathOf({ id }))).json
const payoutsOf = ({ cards }: Lost) => Promise.all(cards.map((card) => latestPayoutOf(server, card)))
const statesOf = async (batch: Lost) => (await payoutsOf(batch)).map(({ state }) => state)
const problemsOf = async (batch: Lost) =>
  Promise.all(
    (await payoutsOf(batch)).map(
      async ({ id }) => (await staff.get(`/api/admin/payouts/${id}`)).json.problem,
    ),
  )
const codeOf = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code]
const paidTo = ({ wallets }: Lost) => wallets.map((wallet) => emulator.paidTo(wallet))
const idAtPaypal = (batch: Lost) => emulator.batches.find(({ senderId }) => senderId === batch.id)?.id ?? ''

async function findings(): Promise<string[]> {
  const found: { code: string }[] = (await staff.get('/api/admin/system')).json.findings
  return found.map(({ code }) => code).filter((code) => code.startsWith('provider_paid'))
}

async function arrive(event: string, batchId: string): Promise<number> {
  const { headers, body: payload } = emulator.webhook(event, batchId)
  const url = '/api/payout-provider/webhook'
  return (await server.app.inject({ method: 'POST', url, headers, payload })).statusCode
}

const expectBooksToAgree = async () => expect((await verifyLedger(server.db)).problems).toEqual([])

it('a batch that is too old waits for people, and is never sent again', async () => {
  const batch = await lost('lose')
  expect(await batchNow(batch)).toMatchObject({
    ...{ state: 'released', providerState: 'sending', providerProblem: 'too_old', providerNextAt: null },
  })
  await step()
  expect(emulator.count('create')).toBe(1)
})

describe('PayPal’s id of the batch, entered by staff', () => {
  it('makes the server follow it as if the answer had arrived, even if somebody had reported it missing', async () => {
    const batch = await lost('lose', { count: 2 })
    await accepted(report(fred, batch))
    const entered = await enter(fred, batch, ` ${idAtPaypal(batch).toLowerCase()} `)
    expect(entered.json).toMatchObject({
      ...{ providerBatchId: idAtPaypal(batch), providerProblem: null, rejectionReportedBy: null },
    })
    await step()
    expect(await statesOf(batch)).toEqual(['paid', 'paid'])
    expect(await batchNow(batch)).toMatchObject({ state: 'settled', providerFee: '0.50' })
    expect(codeOf(await confirm(staff, batch))).toEqual([409, 'illegal_batch_move'])
    expect(paidTo(batch)).toEqual([9300, 9300])
    const log = (await staff.get(`/api/admin/audit?subject=${batch.id}&action=payout_batch.sent`)).json
    expect(log).toMatchObject([{ details: { providerBatchId: idAtPaypal(batch) } }])
    expect(JSON.stringify(log[0])).toContain('fred')
    await expectBooksToAgree()
  })

  it('is taken before the batch is too old, too', async () => {
    const batch = await lost('lose', { days: 1 })
    expect((await enter(fred, batch, idAtPaypal(batch))).status).toBe(200)
    await step()
    expect(await statesOf(batch)).toEqual(['paid'])
    expect(emulator.batches).toHaveLength(1)
  })

  it('is refused if it is wrong', async () => {
    const [batch, other] = [await lost('drop'), await lost('lose')]
    expect(codeOf(await enter(fred, batch, 'NOTATPAYPAL1'))).toEqual([409, 'provider_batch_wrong'])
    expect(codeOf(await enter(fred, batch, idAtPaypal(other)))).toEqual([409, 'provider_batch_wrong'])
    for (const bad of ['', '../1', 'A?page=2', 'A'.repeat(41)])
      expect(codeOf(await enter(fred, batch, bad))).toEqual([400, 'invalid'])
    emulator.fail('read', { status: 503 })
    expect(codeOf(await enter(fred, other, idAtPaypal(other)))).toEqual([503, 'busy'])
    expect(await batchNow(batch)).toMatchObject({ providerBatchId: null, providerProblem: 'too_old' })
    const [due] = [await duePayout(server, seller, staff, { paymentAccountInfo: 'new@example.com' })]
    const waiting = await released([due.id])
    expect(codeOf(await enter(fred, waiting, idAtPaypal(other)))).toEqual([409, 'illegal_batch_move'])
  })

  it('is taken once, and by nobody who may not pay or is at another PayPal account', async () => {
    const batch = await lost('lose')
    const auditor = await server.staff('audrey', 'auditor')
    expect(codeOf(await enter(auditor, batch, idAtPaypal(batch)))).toEqual([403, 'not_permitted'])
    const payoutProvider = server.context.payoutProvider
    for (const other of [emulator.provider({ clientId: 'another' }), undefined]) {
      Object.assign(server.context, { payoutProvider: other })
      expect(codeOf(await enter(fred, batch, idAtPaypal(batch)))).toEqual([409, 'illegal_batch_move'])
      expect(codeOf(await report(fred, batch))).toEqual([409, 'illegal_batch_move'])
    }
    Object.assign(server.context, { payoutProvider })
    const both = await Promise.all([staff, fred].map((by) => enter(by, batch, idAtPaypal(batch))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('a batch that PayPal does not have', () => {
  it('is abandoned by two people, and its payouts are due again', async () => {
    const batch = await lost('drop', { count: 2 })
    const old = await payoutsOf(batch)
    await sendMails(server)
    expect(codeOf(await confirm(staff, batch))).toEqual([409, 'illegal_batch_move'])
    expect((await report(fred, batch)).json).toMatchObject({
      ...{ state: 'released', rejectionReportedBy: 'fred', payers: ['admin', 'fred'] },
    })
    expect(codeOf(await report(staff, batch))).toEqual([409, 'illegal_batch_move'])
    expect(codeOf(await confirm(fred, batch))).toEqual([403, 'second_person_needed'])
    const both = await Promise.all([confirm(staff, batch), confirm(staff, batch)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await batchNow(batch)).toMatchObject({
      ...{ state: 'rejected', providerState: 'sending', providerProblem: null, providerNextAt: null },
    })
    for (const { id } of old) {
      expect((await staff.get(`/api/admin/payouts/${id}`)).json).toMatchObject({
        ...{ state: 'void', voidReason: 'abandoned' },
      })
    }
    expect(await statesOf(batch)).toEqual(['due', 'due'])
    expect(await problemsOf(batch)).toEqual([null, null])
    const log = (await staff.get(`/api/admin/audit?subject=${batch.id}`)).json
    expect(log.slice(0, 2)).toMatchObject([
      { action: 'payout_batch.rejected', details: { provider: 'paypal', count: 2 } },
      { action: 'payout_batch.rejection_reported', details: { provider: 'paypal' } },
    ])
    expect(await sendMails(server)).toEqual([])
    await step()
    await released((await payoutsOf(batch)).map(({ id }) => id))
    await step()
    expect(await statesOf(batch)).toEqual(['paid', 'paid'])
    expect(paidTo(batch)).toEqual([9300, 9300])
    expect(await findings()).toEqual([])
    await expectBooksToAgree()
  })

  it('is not abandoned before its request is too old, or while PayPal has it', async () => {
    const found = await lost('lose')
    await accepted(report(fred, found))
    expect(await arrive('PAYMENT.PAYOUTSBATCH.SUCCESS', idAtPaypal(found))).toBe(200)
    expect(codeOf(await confirm(staff, found))).toEqual([409, 'illegal_batch_move'])
    await step()
    expect(await statesOf(found)).toEqual(['paid'])
    const young = await lost('drop', { days: 24 })
    expect(codeOf(await report(fred, young))).toEqual([409, 'illegal_batch_move'])
    const due = await duePayout(server, seller, staff, { paymentAccountInfo: 'w@example.com' })
    expect(codeOf(await report(fred, await released([due.id])))).toEqual([409, 'illegal_batch_move'])
  })

  it('stays as it is if the report is withdrawn', async () => {
    const batch = await lost('drop')
    await accepted(report(fred, batch))
    const { json } = await staff.post(`${pathOf(batch)}/reject/withdraw`)
    expect(json).toMatchObject({ state: 'released', providerProblem: 'too_old', rejectionReportedBy: null })
    expect(await statesOf(batch)).toEqual(['released'])
  })
})

describe('a late answer', () => {
  it('about a batch that was not abandoned is followed, from a webhook with our id', async () => {
    const batch = await lost('lose')
    expect(await arrive('PAYMENT.PAYOUTSBATCH.SUCCESS', idAtPaypal(batch))).toBe(200)
    await step()
    expect(await statesOf(batch)).toEqual(['paid'])
    expect(await batchNow(batch)).toMatchObject({ state: 'settled', providerProblem: null })
  })

  it('holds the new payouts of an abandoned batch, wherever they are, and names who was paid twice', async () => {
    const batch = await lost('lose', { count: 4 })
    await abandon(batch)
    const [due, inBatch, waiting, sent] = await payoutsOf(batch)
    await released([sent?.id ?? ''])
    await step()
    const open = await batchOf(staff, 'paypal', [inBatch?.id ?? ''])
    const held = await released([waiting?.id ?? ''])
    await server.db.execute(
      sql`update payout_batches set provider_next_at = now() + interval '1 day' where id = ${held.id}`,
    )
    expect(await arrive('PAYMENT.PAYOUTSBATCH.SUCCESS', idAtPaypal(batch))).toBe(200)
    await advanceBatches(server.context, new AbortController().signal)
    await step()

    expect(await batchNow(batch)).toMatchObject({
      ...{
        state: 'rejected',
        providerProblem: 'paid_late',
        providerFee: '1.00',
        paidTwice: [batch.cards[3]],
      },
    })
    expect(await findings()).toEqual(['provider_paid_late'])
    expect(await statesOf(batch)).toEqual(['due', 'batched', 'released', 'paid'])
    expect((await problemsOf(batch)).slice(0, 1)).toEqual(['paid_before'])
    expect(codeOf(await fred.post(`${pathOf(open)}/freeze`))).toEqual([409, 'payout_not_batchable'])
    expect(await batchNow(held)).toMatchObject({ state: 'released', providerProblem: 'held' })
    expect(paidTo(batch)).toEqual([9300, 9300, 9300, 18_600])
    await expectBooksToAgree()

    // What PayPal has paid is recorded, with PayPal's transaction.
    const { json } = await staff.get(`/api/admin/payouts/${due?.id}`)
    expect(json.paidBefore).toMatchObject({
      reference: expect.stringMatching(/^[0-9A-F]{16}$/),
      notSentAt: null,
    })
    expect(json.paidBefore.abandonedBatch).toBe((await batchNow(batch)).number)
    await accepted(fred.post(`${pathOf(open)}/void`))
    await accepted(fred.post(`${pathOf(held)}/void`))
    const paid = { reference: json.paidBefore.reference }
    for (const { id } of (await payoutsOf(batch)).slice(0, 3))
      await accepted(staff.post(`/api/admin/payouts/${id}/paid`, paid))
    expect(await statesOf(batch)).toEqual(['paid', 'paid', 'paid', 'paid'])
    expect(await findings()).toEqual(['provider_paid_late'])
    // The seller sends one of the payments back.
    emulator.batches[0]?.items.splice(3, 1, {
      ...emulator.batches[0].items[3]!,
      transaction_status: 'REFUNDED',
    })
    expect(await arrive('PAYMENT.PAYOUTS-ITEM.REFUNDED', idAtPaypal(batch))).toBe(200)
    await step()
    expect(await batchNow(batch)).toMatchObject({ paidTwice: [] })
    expect(await findings()).toEqual([])
    expect(paidTo(batch)).toEqual([9300, 9300, 9300, 9300])
    await expectBooksToAgree()
  })

  it('that staff find themselves is taken after the batch was abandoned, too', async () => {
    const batch = await lost('lose')
    await abandon(batch)
    expect((await enter(fred, batch, idAtPaypal(batch))).status).toBe(200)
    await step()
    expect(await problemsOf(batch)).toEqual(['paid_before'])
    const [payout] = await payoutsOf(batch)
    await accepted(staff.post(`/api/admin/payouts/${payout?.id}/not-sent`))
    expect(await problemsOf(batch)).toEqual([null])
    // PayPal repeats it.
    await arrive('PAYMENT.PAYOUTSBATCH.SUCCESS', idAtPaypal(batch))
    await step()
    expect(await problemsOf(batch)).toEqual([null])
  })

  it('lets the new payouts go that PayPal did not pay', async () => {
    const batch = await lost('lose', { count: 2 })
    emulator.isSlow = true
    await abandon(batch)
    await arrive('PAYMENT.PAYOUTSBATCH.PROCESSING', idAtPaypal(batch))
    await step()
    expect(await problemsOf(batch)).toEqual(['paid_before', 'paid_before'])
    emulator.isSlow = false
    emulator.outcomes.set(batch.wallets[0] ?? '', 'FAILED')
    await step()
    expect(await problemsOf(batch)).toEqual([null, 'paid_before'])
    emulator.items = 'none'
    await arrive('PAYMENT.PAYOUTSBATCH.SUCCESS', idAtPaypal(batch))
    await step()
    expect(await problemsOf(batch)).toEqual(['paid_before', 'paid_before'])
    emulator.items = 'all'
  })

  it('about a batch that PayPal denied holds nothing', async () => {
    const batch = await lost('lose')
    emulator.denies = 'INSUFFICIENT_FUNDS'
    await abandon(batch)
    await arrive('PAYMENT.PAYOUTSBATCH.DENIED', idAtPaypal(batch))
    await step()
    expect(await batchNow(batch)).toMatchObject({
      state: 'rejected',
      providerState: 'denied',
      providerProblem: null,
    })
    expect(await problemsOf(batch)).toEqual([null])
  })

  it('that is forged changes nothing', async () => {
    const batch = await lost('lose')
    await abandon(batch)
    const { headers, body } = emulator.webhook('PAYMENT.PAYOUTSBATCH.SUCCESS', idAtPaypal(batch))
    const payload = body.replace('SUCCESS', 'DENIED')
    const url = '/api/payout-provider/webhook'
    expect((await server.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(401)
    await step()
    expect(await batchNow(batch)).toMatchObject({ providerBatchId: null })
    expect(await problemsOf(batch)).toEqual([null])
  })
})
