import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import { referenceOf } from '#domain/reference.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { testBank } from '#test/nacha/bank.ts'
import { parseAch } from '#test/nacha/parser.ts'
import { nachaReturns, type Report } from '#test/nacha/returns.ts'
import { batchOf, downloadFile, duePayout, exportedBatch, pathOf } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { bankDayAfter } from './files/bank-days.ts'

const payoutSettings = {
  manual: true,
  alwaysTwoPersons: false,
  netReceivables: false,
  prenotes: true,
  nacha: testBank,
}

let server: TestApp
let sally: Person
let staff: Person
let payer: Person
beforeAll(async () => {
  server = await createTestApp({ site: { payouts: payoutSettings } })
  sally = await server.seller('sally')
  staff = await server.staff()
  payer = await server.staff('petra', 'payer')
})
beforeEach(async () => {
  payoutSettings.prenotes = true
  // What earlier tests left due would have prenotes in the files of this one.
  await server.pool.query("update payouts set state = 'void' where state = 'due'")
})

let accounts = 0
/** The fields of a submission with a bank account that nobody has used. */
function newBank() {
  accounts += 1
  return {
    paymentType: 'bank_transfer',
    paymentRoutingNumber: '021000021',
    paymentAccountNumber: `77700${String(accounts).padStart(4, '0')}`,
  }
}

const due = (fields: object): Promise<WirePayout> => duePayout(server, sally, staff, fields)
const read = async ({ id }: { id: string }): Promise<WirePayout> =>
  (await staff.get(`/api/admin/payouts/${id}`)).json

/** A due payout to an account that a file has paid before. */
async function ready(): Promise<WirePayout> {
  const account = newBank()
  const { submissionId } = await due(account)
  await exportedBatch(server, [submissionId])
  return due(account)
}

async function frozen(payoutIds?: string[]): Promise<WireBatch> {
  const batch = await batchOf(payer, 'bank_transfer', payoutIds)
  const { status, json } = await payer.post(`${pathOf(batch)}/freeze`)
  expect([status, json.message]).toEqual([200, undefined])
  return batch
}

async function released(payoutIds?: string[]): Promise<WireBatch> {
  const batch = await frozen(payoutIds)
  expect((await staff.post(`${pathOf(batch)}/release`)).status).toBe(200)
  return batch
}

async function entriesOf(batch: WireBatch) {
  const { status, text } = await downloadFile(payer, batch)
  expect(status).toBe(200)
  const { entries, problems } = parseAch(Buffer.from(text))
  expect(problems).toEqual([])
  return entries
}

const prenotesOf = async (batch: WireBatch) => (await entriesOf(batch)).filter(({ cents }) => cents === 0n)

/** As if the days had passed that a bank has to answer. */
const wait = () => server.pool.query("update prenotes set payable_on = '2020-01-01'")

async function importReport(report: Report) {
  const bytes = Buffer.from(nachaReturns([{ name: 'SALLY SELLER', cents: 0, ...report }]))
  const file = { name: 'file', filename: 'returns.txt', type: 'text/plain', bytes }
  return (await staff.upload('/api/admin/payout-returns', [file])).json
}

it('without the setting, a new account is paid at once, and the file has only payments', async () => {
  payoutSettings.prenotes = false
  const payout = await due(newBank())
  expect(payout).toMatchObject({ problem: null, prenote: null })
  const entries = await entriesOf(await released([payout.id]))
  expect(entries.map(({ cents }) => cents)).toEqual([9300n])
})

it('an account gets one prenote for all its payouts, which wait for three banking days after it settles', async () => {
  const account = newBank()
  const paidBefore = await ready()
  const waiting = [
    await due(account),
    await due({ ...account, paymentAccountNumber: `${account.paymentAccountNumber} ` }),
  ]
  const savings = await due({ ...account, paymentAccountType: 'savings' })
  expect(waiting.map(({ problem }) => problem)).toEqual(['prenote_needed', 'prenote_needed'])
  expect([paidBefore.problem, savings.problem]).toEqual([null, 'prenote_needed'])
  const chosen = { paymentType: 'bank_transfer', payoutIds: [waiting[0]?.id] }
  const refused = await payer.post('/api/admin/payout-batches', chosen)
  expect([refused.status, refused.json.code]).toEqual([409, 'payout_not_batchable'])
  expect(refused.json.message).toContain('sends a prenote to the account of sally')

  const batch = await released()
  expect(batch).toMatchObject({ count: 1, total: '93.00' })
  const [first] = waiting as [WirePayout, WirePayout]
  expect(await read(first)).toMatchObject({
    problem: 'prenote_waiting',
    prenote: { sentAt: null, payableOn: null },
  })
  const entries = await entriesOf(batch)
  expect(entries.map(({ account: number, cents }) => [number, cents])).toEqual([
    [expect.any(String), 9300n],
    [account.paymentAccountNumber, 0n],
    [account.paymentAccountNumber, 0n],
  ])
  const { rows } = await server.pool.query('select number from payouts')
  const sequences = entries.map(({ trace }) => Number(trace.slice(8)))
  expect(rows.filter(({ number }) => sequences.includes(Number(number)))).toEqual([
    { number: String(paidBefore.number) },
  ])

  const { expectedOn } = (await payer.get(pathOf(batch))).json
  expect(await read(first)).toMatchObject({
    problem: 'prenote_waiting',
    prenote: { sentAt: expect.any(String), payableOn: bankDayAfter(expectedOn, 3) },
  })
  expect(await prenotesOf(await released([(await ready()).id]))).toEqual([])
  await wait()
  const paid = await entriesOf(await released())
  expect(paid.map(({ cents }) => cents)).toEqual([9300n, 9300n, 9300n])
})

it('a payment by hand says nothing about the account', async () => {
  const account = newBank()
  const { id } = await due(account)
  expect((await staff.post(`/api/admin/payouts/${id}/paid`, { reference: 'WIRE-1' })).status).toBe(200)
  expect((await due(account)).problem).toBe('prenote_needed')
})

it('a batch that was frozen before the setting was on is not released without prenotes', async () => {
  payoutSettings.prenotes = false
  await due(newBank())
  const batch = await frozen()
  payoutSettings.prenotes = true
  expect((await staff.post(`${pathOf(batch)}/release`)).json.code).toBe('payout_not_batchable')
})

it('two batches that are released at once send one prenote', async () => {
  const batches = [await frozen([(await ready()).id]), await frozen([(await ready()).id])]
  await due(newBank())
  await Promise.all(batches.map((batch) => staff.post(`${pathOf(batch)}/release`)))
  const sent = [await prenotesOf(batches[0] as WireBatch), await prenotesOf(batches[1] as WireBatch)]
  expect(sent.flat()).toHaveLength(1)
})

it('a batch of no payouts sends prenotes, again if it was dissolved or rejected', async () => {
  const payout = await due(newBank())
  const dissolved = await released()
  expect(dissolved).toMatchObject({ count: 0, total: '0.00' })
  expect((await read(payout)).problem).toBe('prenote_waiting')
  expect((await payer.post('/api/admin/payout-batches', { paymentType: 'bank_transfer' })).json.code).toBe(
    'nothing_due',
  )
  expect((await staff.post(`${pathOf(dissolved)}/void`)).status).toBe(200)
  expect((await read(payout)).problem).toBe('prenote_needed')

  const rejected = await released()
  const [{ trace } = { trace: '' }] = await prenotesOf(rejected)
  await wait()
  expect((await read(payout)).problem).toBeNull()
  const reason = 'The company ID is unknown'
  expect((await payer.post(`${pathOf(rejected)}/reject`, { reason })).status).toBe(200)
  expect((await staff.post(`${pathOf(rejected)}/reject/confirm`)).status).toBe(200)
  expect((await read(payout)).problem).toBe('prenote_needed')
  const late = await importReport({ trace, reference: referenceOf(payout.submissionId), code: 'R02' })
  expect(late.matched).toBe(0)

  const [one, other] = [await frozen(), await frozen()]
  const [again] = await prenotesOf((await staff.post(`${pathOf(one)}/release`)).json)
  expect(again?.trace).not.toBe(trace)
  expect((await staff.post(`${pathOf(other)}/release`)).json.code).toBe('nothing_due')
})

describe("the bank's answer to a prenote", () => {
  /** A payout whose prenote was sent, and what the bank's file says about that. */
  async function sent() {
    const account = newBank()
    const payout = await due(account)
    const other = await due(account)
    const [{ trace } = { trace: '' }] = await prenotesOf(await released())
    return { payout, other, report: { trace, reference: referenceOf(payout.submissionId) } }
  }

  it.each(['R02', 'R03', 'R04', 'C01'])(
    '%s makes the account dead, once, and tells the seller',
    async (code) => {
      const { payout, other, report } = await sent()
      await sendMails(server)
      const differing = await importReport({ ...report, name: 'SOMEBODY ELSE', code })
      expect(differing.unmatched).toEqual([
        expect.objectContaining({ text: expect.stringContaining('the name') }),
      ])
      const imports = await Promise.all(
        [0, 1].map(() => importReport({ ...report, code, correction: '111' })),
      )
      expect(imports.map(({ matched, already }) => matched * 10 + already).sort()).toEqual([1, 10])
      await wait()
      expect(await read(payout)).toMatchObject({ problem: 'account_dead', deadAccount: { code } })
      expect((await read(other)).problem).toBe('account_dead')
      const mails = (await sendMails(server)).filter(({ subject }) => subject.includes('did not accept'))
      expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('Reason: ')])
      const { cards } = (await sally.get('/api/user/home')).json.needsYou
      expect(cards.map(({ id }: { id: string }) => id)).toContain(payout.submissionId)
      const audit = await staff.get(`/api/admin/audit?subject=${payout.id}&action=payout.prenote_refused`)
      expect(audit.json).toMatchObject([{ details: { returnCode: code, accountDead: true } }])
    },
  )

  it('with a code that says nothing about the account needs another prenote', async () => {
    const { payout, report } = await sent()
    expect((await importReport({ ...report, code: 'R17' })).matched).toBe(1)
    await wait()
    expect(await read(payout)).toMatchObject({ problem: 'prenote_needed', prenote: null, deadAccount: null })
  })

  it('C05 says that the bank takes payments all the same', async () => {
    const { payout, report } = await sent()
    expect((await importReport({ ...report, code: 'C05', correction: '32' })).matched).toBe(1)
    await wait()
    expect(await read(payout)).toMatchObject({ problem: null, changeCode: 'C05' })
  })

  it('is asked for again after a payer allows the account', async () => {
    const { payout, report } = await sent()
    await importReport({ ...report, code: 'R02' })
    const lifted = await payer.post(`/api/admin/payouts/${payout.id}/lift-account`, {
      reason: 'The bank erred',
    })
    expect(lifted.json.problem).toBe('prenote_needed')
  })
})
