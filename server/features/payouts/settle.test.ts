import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { testBank } from '#test/nacha/bank.ts'
import { batchOf, duePayout, pathOf } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { isBankDay, type nextSameDayCutoff } from './files/bank-days.ts'

const limits: { perDay?: number } = {}
const nacha: Parameters<typeof nextSameDayCutoff>[1] & typeof testBank = { ...testBank }
let server: TestApp
let owner: Person
let pia: Person
let pat: Person
let reviewer: Person
let auditor: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp({
    site: {
      timeZone: 'America/New_York',
      payouts: {
        manual: true,
        alwaysTwoPersons: false,
        netReceivables: false,
        nacha,
        limits,
      },
    },
  })
  owner = await server.staff()
  pia = await server.staff('pia', 'payer')
  pat = await server.staff('pat', 'payer')
  reviewer = await server.staff('rob', 'reviewer')
  auditor = await server.staff('ada', 'auditor')
})
beforeEach(async () => {
  seller = await server.seller()
})

const due = (fields = {}): Promise<WirePayout> => duePayout(server, seller, owner, fields)
const read = async ({ id }: { id: string }): Promise<WirePayout> =>
  (await owner.get(`/api/admin/payouts/${id}`)).json
const refusal = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code]
const settle = (batch: { id: string }, body: object = { reference: 'STMT-1' }, by = pia) =>
  by.post(`${pathOf(batch)}/settle`, body)
const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'America/New_York' })
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** A batch of new payouts that was exported. */
async function sent(payouts: readonly WirePayout[]) {
  const ids = payouts.map(({ id }) => id)
  const batch = await batchOf(pia, payouts[0]?.paymentType ?? '', ids)
  await pia.post(`${pathOf(batch)}/freeze`)
  await pat.post(`${pathOf(batch)}/release`)
  expect((await pia.post(`${pathOf(batch)}/file`)).json.state).toBe('exported')
  return batch
}

const exportedDaysAgo = (batch: { id: string }, days: number) =>
  server.pool.query(
    'update payout_batches set exported_at = now() - make_interval(days => $2) where id = $1',
    [batch.id, days],
  )

it('a settled batch has its payouts recorded as paid, books its fee, and can still have returns', async () => {
  const [first, second] = [await due(), await due()]
  const batch = await sent([first, second])
  await exportedDaysAgo(batch, 3)
  const on = dayBefore(today())
  expect((await settle(batch, { reference: 'STMT-7', on, fee: '4.95' })).json).toMatchObject({
    ...{ state: 'settled', settledBy: 'pia', settledAt: expect.any(String), settledOn: on },
    ...{ settlementReference: 'STMT-7', settlementFee: '4.95', confirmedAt: expect.any(String) },
  })
  await sendMails(server)
  expect(await read(first)).toMatchObject({ state: 'paid', reference: 'STMT-7', byHand: false })
  const { rows } = await server.pool.query(
    `select value_date::text as on, account, amount::int from ledger_entries join ledger_lines on entry_id = id
      where batch_id = $1 order by line`,
    [batch.id],
  )
  expect(rows).toEqual([
    { on, account: 'fees', amount: 495 },
    { on, account: 'cash:paypal', amount: -495 },
  ])
  const { text } = await owner.get(`/api/admin/reports/journal.csv?month=${on.slice(0, 7)}`)
  expect(text).toContain(`fees,4.95,,"Fee, batch ${batch.number}",`)
  expect((await pia.post(`/api/admin/payouts/${second.id}/return`, { reason: 'Closed' })).json.state).toBe(
    'returned',
  )
  expect((await pia.get(pathOf(batch))).json).toMatchObject({
    state: 'settled',
    paidCount: 1,
    returnedCount: 1,
  })
  const log = (await owner.get(`/api/admin/audit?subject=${batch.id}&action=payout_batch.settled`)).json
  expect(log).toMatchObject([{ actor: 'pia', details: { count: 2, total: '186.00', on, fee: '4.95' } }])
})

it('the seller reads the number of the statement for a payout that was paid without one', async () => {
  const payout = await due()
  const batch = await sent([payout])
  await pia.post(`${pathOf(batch)}/paid`)
  await sendMails(server)
  const seen = async () => (await seller.get(`/api/user/gift-cards/${payout.submissionId}`)).json.payout
  expect(await seen()).toMatchObject({ state: 'paid', isConfirmed: false })
  await settle(batch, { reference: 'PP-2026-77' })
  expect(await seen()).toMatchObject({ reference: 'PP-2026-77', isConfirmed: true })
})

it('a batch ends once: settled, it is neither settled, paid, rejected nor dissolved again', async () => {
  const batch = await sent([await due()])
  const both = await Promise.all([settle(batch), settle(batch, { reference: 'STMT-2' }, pat)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  for (const step of ['paid', 'void', 'release', 'freeze']) {
    expect(refusal(await pia.post(`${pathOf(batch)}/${step}`))).toEqual([409, 'illegal_batch_move'])
  }
  const rejected = await pia.post(`${pathOf(batch)}/reject`, { reason: 'Wrong' })
  expect(rejected.json.message).toContain('settled')
  expect((await pia.get(`${pathOf(batch)}/file`)).status).toBe(200)
  expect((await pia.post(`${pathOf(batch)}/file`)).json.state).toBe('settled')
  await sendMails(server)
})

it('a batch is not settled before its export, without a reference, or on a day that cannot be', async () => {
  const open = await batchOf(pia, 'paypal', [(await due()).id])
  expect(refusal(await settle(open))).toEqual([409, 'illegal_batch_move'])
  await pia.post(`${pathOf(open)}/void`)
  const batch = await sent([await due()])
  const codeOf = ({ json }: { json: { errors: { code: string }[] } }) => json.errors[0]?.code
  const tomorrow = new Date(Date.parse(today()) + 86_400_000).toISOString().slice(0, 10)
  for (const [body, code] of [
    [{}, 'reference_required'],
    [{ reference: ' ' }, 'reference_required'],
    [{ reference: 'A', on: tomorrow }, 'settled_on_future'],
    [{ reference: 'A', on: dayBefore(today()) }, 'settled_before_export'],
    [{ reference: 'A', on: '2026-02-30' }, 'day_invalid'],
    [{ reference: 'A', on: '0000-01-01' }, 'day_invalid'],
    [{ reference: 'A', fee: '-1' }, 'fee_invalid'],
    [{ reference: 'A', fee: '10000.01' }, 'fee_invalid'],
    [{ reference: 'A', fee: 'free' }, 'fee_invalid'],
  ] as const) {
    const answer = await settle(batch, body)
    expect([answer.status, codeOf(answer)]).toEqual([400, code])
  }
  for (const [by, expected] of [
    [reviewer, 403],
    [auditor, 403],
    [seller, 401],
  ] as const) {
    expect((await settle(batch, { reference: 'A' }, by)).status).toBe(expected)
  }
  expect((await settle(batch, { reference: 'Card 6006 4930 1234 5678' })).json).toMatchObject({
    settlementReference: 'Card ••••',
    settlementFee: '0.00',
    settledOn: today(),
  })
  await sendMails(server)
})

it('a worksheet settles when each of its payouts was paid or came back', async () => {
  const [first, second] = [await due({ paymentType: 'zelle' }), await due({ paymentType: 'zelle' })]
  const worksheet = await sent([first, second])
  await pia.post(`/api/admin/payouts/${first.id}/paid`, { reference: 'Z-1' })
  const refused = await settle(worksheet)
  expect([refused.status, refused.json.message]).toEqual([
    409,
    expect.stringContaining('1 payout is still open'),
  ])
  await pia.post(`/api/admin/payouts/${second.id}/return`, { reason: 'Closed' })
  expect((await settle(worksheet)).json.state).toBe('settled')
  expect((await read(first)).reference).toBe('Z-1')
})

it('of a settlement and a rejection or a return at once, the books stay right', async () => {
  for (let round = 0; round < 6; round++) {
    // A return stops its account.
    const payout = await due({ paymentAccountInfo: `round${round}@example.com` })
    const batch = await sent([payout])
    const isReturn = round % 2 === 0
    if (!isReturn) await pia.post(`${pathOf(batch)}/reject`, { reason: 'Wrong' })
    if (!isReturn) expect((await settle(batch)).json.message).toContain('reported')
    const rival = () =>
      isReturn
        ? pat.post(`/api/admin/payouts/${payout.id}/return`, { reason: 'Closed' })
        : pat.post(`${pathOf(batch)}/reject/confirm`)
    const [settled, other] = await Promise.all([settle(batch, { reference: 'S', fee: '1' }), rival()])
    expect([settled.status, other.status]).toEqual(isReturn ? [200, 200] : [409, 200])
    await sendMails(server)
    expect((await read(payout)).state).toBe(isReturn ? 'returned' : 'void')
  }
  for (let round = 0; round < 4; round++) {
    const batch = await sent([await due()])
    const [settled, reported] = await Promise.all([
      settle(batch),
      pat.post(`${pathOf(batch)}/reject`, { reason: 'Wrong' }),
    ])
    expect([settled.status, reported.status].sort()).toEqual([200, 409])
  }
  await sendMails(server)
})

it('what was settled today counts against the limit of the day', async () => {
  const batch = await sent([await due()])
  const other = await batchOf(pia, 'paypal', [(await due()).id])
  await pia.post(`${pathOf(other)}/freeze`)
  await settle(batch)
  limits.perDay = 1
  try {
    const { json } = await pat.post(`${pathOf(other)}/release`)
    const { rows } = await server.pool.query(
      "select sum(total)::int as total from payout_batches where state in ('released', 'exported', 'settled')",
    )
    const total = (rows[0].total / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
    expect([json.code, json.message]).toEqual(['payout_limit', expect.stringContaining(total)])
  } finally {
    delete limits.perDay
    await sendMails(server)
  }
})

it('lists unfinished batches oldest first, and marks those that are late', async () => {
  const first = await sent([await due()])
  const second = await batchOf(pia, 'paypal', [(await due()).id])
  await exportedDaysAgo(first, 30)
  const listed = async (query = '') =>
    (await auditor.get(`/api/admin/payout-batches?unfinished=true&limit=200${query}`)).json
  const all = await listed()
  const numbers = all.map(({ number }: { number: number }) => number)
  expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b))
  expect(all.slice(-2)).toMatchObject([
    { id: first.id, isLate: true },
    { id: second.id, isLate: false },
  ])
  const ended = ['settled', 'rejected', 'void']
  expect(all.some(({ state }: { state: string }) => ended.includes(state))).toBe(false)
  expect((await listed(`&cursor=${first.number}`)).map(({ id }: { id: string }) => id)).toEqual([second.id])
  await settle(first)
  await pia.post(`${pathOf(second)}/void`)
  expect((await listed()).length).toBe(all.length - 2)
  expect((await pia.get(pathOf(first))).json.isLate).toBe(false)
  await sendMails(server)
})

it('a batch is released for the same day before the cut-off of a banking day, and only then', async () => {
  const fields = { paymentType: 'bank_transfer', paymentRoutingNumber: '021000021' }
  const payout = await due({ ...fields, paymentAccountNumber: '987654399' })
  const batch = await batchOf(pia, 'bank_transfer', [payout.id])
  await pia.post(`${pathOf(batch)}/freeze`)
  const release = () => pat.post(`${pathOf(batch)}/release`, { sameDay: true })
  expect((await release()).json.message).toContain('NACHA_SAME_DAY_CUTOFF')
  expect((await pia.get(pathOf(batch))).json).toMatchObject({ sameDay: false, sameDayCutoff: null })
  Object.assign(nacha, { sameDayCutoff: 0 })
  const { sameDayCutoff } = (await pia.get(pathOf(batch))).json
  const refused = await release()
  expect([...refusal(refused), refused.json.message]).toEqual([
    ...[409, 'illegal_batch_move'],
    expect.stringContaining(`or on ${sameDayCutoff.settlesOn}`),
  ])
  Object.assign(nacha, { sameDayCutoff: 24 * 60 - 1 })
  await server.pool.query('update payouts set amount = 100000001 where id = $1', [payout.id])
  const isToday = isBankDay(today())
  if (isToday) expect(refusal(await release())).toEqual([409, 'payout_limit'])
  await server.pool.query('update payouts set amount = 9300 where id = $1', [payout.id])
  const released = await release()
  expect(released.status).toBe(isToday ? 200 : 409)
  if (isToday) expect(released.json).toMatchObject({ sameDay: true, expectedOn: today(), state: 'released' })
  await pia.post(`${pathOf(batch)}/void`)
  Object.assign(nacha, { sameDayCutoff: undefined })
})

it('leaves books that agree', async () => {
  expect((await verifyLedger(server.db)).problems).toEqual([])
})
