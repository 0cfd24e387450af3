import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PayoutLimits } from '#domain/payout-limits.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { approvedToPay, connect, payingPolicy, setMode } from '#test/automatic-payouts.ts'
import { sendMails } from '#test/mails.ts'
import { latestPayoutOf } from '#test/payouts.ts'
import { PaypalEmulator } from '#test/paypal.ts'
import { accepted } from '#test/person.ts'
import type { CardFields } from '#test/submissions.ts'
import { WebhookReceiver } from '#test/webhook-receiver.ts'
import { payAtOnce } from './automatic.ts'
import { advanceBatches } from './provider/advance.ts'

const limits: { -readonly [Name in keyof PayoutLimits]: PayoutLimits[Name] } = {}
const payoutSettings = {
  ...{ manual: true, alwaysTwoPersons: false, netReceivables: false },
  nacha: { cutoff: 1020 },
  limits,
}
const emulator = await PaypalEmulator.start()
const server: TestApp = await createTestApp({
  payoutProvider: emulator.provider(),
  site: { webhooksAllowPrivate: true, payouts: payoutSettings },
})
await ensureInstallation(server.db)
const seller = await server.seller('sally')
const staff = await server.staff()
const service = await WebhookReceiver.start()
await connect(staff, service.url)

const holds = (amount: string) => ({ json: JSON.stringify({ status: 'ok', amount }) })
let policyId: string
beforeEach(async () => {
  service.answer = holds('100.00')
  policyId = await payingPolicy(server)
  await server.db.execute(sql`update installation set policies_stopped_at = null, payouts_stopped_at = null`)
  // Earlier tests leave payouts that a person has to pay, and batches.
  await server.db.execute(
    sql`update payout_batches set provider_next_at = null, released_at = released_at - interval '2 days' where released_at is not null`,
  )
  emulator.batches.length = 0
})
afterEach(() => {
  payoutSettings.alwaysTwoPersons = false
  for (const name of Object.keys(limits) as (keyof PayoutLimits)[]) delete limits[name]
})

let wallets = 0
/** A card of $100 that the policy has approved, with an account that no other has. */
async function approved(fields: CardFields = {}) {
  const wallet = `auto${++wallets}@example.com`
  const id = await approvedToPay(
    server,
    { seller, staff, policyId },
    { paymentAccountInfo: wallet, ...fields },
  )
  return { id, wallet }
}
const work = () => sendMails(server)
const send = () => advanceBatches(server.context, new AbortController().signal)
const payoutOf = async ({ id }: { id: string }) => {
  const { state, automatic, batchId } = await latestPayoutOf(server, id)
  return { state, automatic, batchId }
}
const read = async ({ id }: { id: string }) => (await staff.get(`/api/admin/submissions/${id}`)).json
const verified = async () => expect((await verifyLedger(server.db)).problems).toEqual([])

describe('what a policy approved that pays at once', () => {
  it('is paid after its balance was asked again, by nobody, in one batch with others', async () => {
    const cards = [await approved(), await approved()]
    const asked = service.received.length
    await work()
    expect(service.received.length - asked).toBe(2)
    const [one, other] = await Promise.all(cards.map(payoutOf))
    expect(one).toMatchObject({ state: 'released', automatic: 'batched' })
    expect(other).toEqual(one)
    await send()
    for (const card of cards) {
      expect(await payoutOf(card)).toMatchObject({ state: 'paid' })
      expect(emulator.paidTo(card.wallet)).toBe(9300)
      expect((await seller.get(`/api/user/gift-cards/${card.id}`)).json.status).toBe('completed')
    }
    const { json: batch } = await staff.get(`/api/admin/payout-batches/${one?.batchId}`)
    expect(batch).toMatchObject({
      ...{ state: 'settled', createdBy: null, frozenBy: null, releasedBy: null, releasedAlone: false },
      policies: [{ name: 'Amazon', version: 1 }],
    })
    const { json: audit } = await staff.get(`/api/admin/audit?subject=${one?.batchId}`)
    expect(audit.map(({ action }: { action: string }) => action).sort()).toEqual([
      ...[
        'payout_batch.created',
        'payout_batch.frozen',
        'payout_batch.marked_exported',
        'payout_batch.released',
      ],
      ...['payout_batch.sent', 'payout_batch.settled'],
    ])
    expect(new Set(audit.map(({ actorKind }: { actorKind: string }) => actorKind))).toEqual(
      new Set(['system']),
    )
    const { json: history } = await staff.get(`/api/admin/submissions/${cards[0]?.id}/history`)
    expect(history.at(-1)).toMatchObject({ by: 'system', move: 'complete' })
    await verified()
  })

  it('is not asked about or paid without a provider, or for an account that it does not pay', async () => {
    const { payoutProvider } = server.context
    Object.assign(server.context, { payoutProvider: undefined })
    const card = await approved()
    await work()
    Object.assign(server.context, { payoutProvider })
    const zelle = await approved({ paymentType: 'zelle' })
    await work()
    expect(await payoutOf(card)).toMatchObject({ state: 'due', automatic: null })
    expect(await payoutOf(zelle)).toMatchObject({ state: 'due', automatic: null })
  })

  it.each([
    ['less', holds('99.99')],
    ['nothing', holds('0')],
    ['an unknown card', { json: '{"status":"not_found"}' }],
    ['a blocked card', { json: '{"status":"blocked"}' }],
  ])('is back in the queue if the service finds %s', async (_, answer) => {
    const card = await approved()
    await work()
    emulator.batches.length = 0
    const drained = await approved()
    service.answer = answer
    const mails = await work()
    await send()
    expect(await payoutOf(drained)).toMatchObject({ state: 'void', automatic: 'less', batchId: null })
    expect(emulator.paidTo(drained.wallet)).toBe(0)
    expect(emulator.paidTo(card.wallet)).toBe(9300)
    expect(await read(drained)).toMatchObject({ status: 'pending' })
    const own = (await seller.get(`/api/user/gift-cards/${drained.id}/history`)).json
    expect(own.at(-1)).toMatchObject({ from: 'approved', to: 'pending', move: 'recheck', by: 'system' })
    expect(mails.map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^We are checking .+ again$/),
    )
    // A person can approve it after all, which makes a payout for a person.
    for (const { code } of (await read(drained)).risks) {
      const acknowledged = { code, reason: 'The seller loaded it again' }
      await accepted(staff.post(`/api/admin/submissions/${drained.id}/acknowledge`, acknowledged))
    }
    await accepted(staff.patch(`/api/admin/submissions/${drained.id}/status`, { status: 'processing' }))
    await work()
    expect(await payoutOf(drained)).toMatchObject({ state: 'due', automatic: null })
    await verified()
  })

  it('is left to a person if the service does not answer, and the payouts screen says so', async () => {
    const card = await approved()
    service.answer = { json: '{"status":"unknown"}' }
    await work()
    await work()
    const { id } = await latestPayoutOf(server, card.id)
    expect((await staff.get(`/api/admin/payouts/${id}`)).json).toMatchObject({
      state: 'due',
      automatic: 'no_answer',
      problem: null,
    })
    const { json: audit } = await staff.get(`/api/admin/audit?subject=${id}`)
    expect(audit[0]).toMatchObject({
      action: 'payout.left_to_person',
      actorKind: 'system',
      details: { code: 'no_answer' },
    })
    expect(await read(card)).toMatchObject({ status: 'processing' })
  })

  it('is asked again if its answer is too old, three times at most', async () => {
    const card = await approved()
    const asked = service.received.length
    await sendMails(server, {
      payAtOnce: async (payload) => {
        await server.db.execute(
          sql`update balance_requests set asked_at = now() - interval '11 minutes' where before_payout`,
        )
        await payAtOnce(server.context, payload)
      },
    })
    const { automatic } = await payoutOf(card)
    expect(service.received.length - asked).toBe(3)
    expect(automatic).toBe('no_answer')
  })
})

describe('a payout is left to a person', () => {
  it('if policies or payouts are stopped, or its policy is turned off, before it is paid', async () => {
    const stops = [
      [() => server.db.execute(sql`update installation set policies_stopped_at = now()`), 'policies_stopped'],
      [() => server.db.execute(sql`update installation set payouts_stopped_at = now()`), 'payouts_stopped'],
      [() => setMode(server, policyId, 'off'), 'policy_off'],
    ] as const
    for (const [stop, why] of stops) {
      const cards = [await approved(), await approved()]
      await stop()
      await work()
      await server.db.execute(
        sql`update installation set policies_stopped_at = null, payouts_stopped_at = null`,
      )
      await work()
      for (const card of cards)
        expect(await payoutOf(card)).toEqual({ state: 'due', automatic: why, batchId: null })
    }
    expect(emulator.batches).toEqual([])
  })

  it('if two people must release each batch, and the system says so', async () => {
    payoutSettings.alwaysTwoPersons = true
    const card = await approved()
    await work()
    expect(await payoutOf(card)).toMatchObject({ state: 'due', automatic: 'second_person_needed' })
    const codes = async () =>
      (await staff.get('/api/admin/system')).json.findings.map(({ code }: { code: string }) => code)
    expect(await codes()).toContain('automatic_payouts_blocked')
    payoutSettings.alwaysTwoPersons = false
    expect(await codes()).not.toContain('automatic_payouts_blocked')
  })

  it('if its batch would need two approvers', async () => {
    limits.secondApprovalAbove = 9_299
    const card = await approved()
    await work()
    expect(await payoutOf(card)).toMatchObject({ state: 'due', automatic: 'second_person_needed' })
  })

  it('if a limit is reached, and the others leave', async () => {
    for (const limit of ['perDay', 'perBatch'] as const) {
      const cards = [await approved(), await approved(), await approved()]
      limits[limit] = 9_300 * 2 + 1
      await work()
      const found = await Promise.all(cards.map(payoutOf))
      const left = found.filter(({ automatic }) => automatic === 'payout_limit')
      expect(left.length).toBe(limit === 'perDay' ? 1 : 0)
      expect(found.filter(({ state }) => state === 'released').length).toBe(3 - left.length)
      delete limits[limit]
      await server.db.execute(
        sql`update payout_batches set released_at = released_at - interval '2 days' where released_at is not null`,
      )
    }
    const large = await approved()
    limits.perPayout = 9_299
    await work()
    expect(await payoutOf(large)).toMatchObject({ state: 'due', automatic: 'payout_limit' })
  })

  it('if it is on hold or has a lower check since, and the others leave', async () => {
    const cards = [await approved(), await approved(), await approved()]
    const isHeld = cards[1]?.id
    await accepted(staff.post('/api/admin/holds', { submissionId: isHeld, reason: 'Dispute' }))
    await work()
    for (const card of cards) {
      const why = card.id === isHeld ? 'payout_not_batchable' : 'batched'
      expect(await payoutOf(card)).toMatchObject({ automatic: why })
    }
    const later = await approved()
    await sendMails(server, {
      payAtOnce: async (payload) => {
        // After the answer of the service, and before the payment.
        const { rowCount: isAnswered } = await server.db.execute(
          sql`select from balance_requests where gift_card_id = ${later.id} and outcome = 'ok'`,
        )
        if (isAnswered) {
          const check = { amount: '99.99', source: 'phone' }
          await accepted(staff.post(`/api/admin/submissions/${later.id}/balance-checks`, check))
        }
        await payAtOnce(server.context, payload)
      },
    })
    expect(await payoutOf(later)).toMatchObject({ state: 'due', automatic: 'no_answer' })
  })
})

it('is paid once if the job runs again, twice at once, or while a person pays', async () => {
  const cards = [await approved(), await approved()]
  const again = () =>
    Promise.all(cards.map(({ id: giftCardId }) => payAtOnce(server.context, { giftCardId })))
  await Promise.all([again(), again()])
  // The answers arrive, and nobody has paid yet.
  await sendMails(server, { payAtOnce: async () => {} })
  await Promise.all([again(), again(), again()])
  await again()
  await send()
  for (const card of cards) {
    expect(await payoutOf(card)).toMatchObject({ state: 'paid', automatic: 'batched' })
    expect(emulator.paidTo(card.wallet)).toBe(9300)
    const { id } = await latestPayoutOf(server, card.id)
    const { json: audit } = await staff.get(`/api/admin/audit?subject=${id}`)
    expect(audit.map(({ action }: { action: string }) => action)).toEqual(['payout.paid'])
  }
  const byHand = await approved()
  const { id } = await latestPayoutOf(server, byHand.id)
  await accepted(staff.post(`/api/admin/payouts/${id}/paid`, { reference: 'X' }))
  await work()
  await send()
  expect(emulator.paidTo(byHand.wallet)).toBe(0)
  expect(await payoutOf(byHand)).toMatchObject({ state: 'paid', automatic: null })
  await verified()
})
