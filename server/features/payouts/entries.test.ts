import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import { referenceOf, shortReferenceOf } from '#domain/reference.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { composeMovePush } from '#server/features/submissions/status-mail.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { testBank } from '#test/nacha/bank.ts'
import { parseAch } from '#test/nacha/parser.ts'
import { nachaReturns } from '#test/nacha/returns.ts'
import { downloadFile, duePayout, pathOf } from '#test/payouts.ts'
import { linked, type Person } from '#test/person.ts'
import type { CardFields } from '#test/submissions.ts'
import { traceNumberOf } from './files/nacha.ts'
import { paypalIdOf } from './files/paypal.ts'

let server: TestApp
let owner: Person
let pia: Person
let pat: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp()
  owner = await server.staff()
  pia = await server.staff('pia', 'payer')
  pat = await server.staff('pat', 'payer')
})
/** Each test has another account: a bank's return keeps all payouts away from one. */
let bank: CardFields
let accounts = 98765432
beforeEach(async () => {
  seller = await server.seller()
  accounts += 10
  bank = {
    paymentType: 'bank_transfer',
    paymentRoutingNumber: '021000021',
    paymentAccountNumber: String(accounts),
  }
})

const zelle = { paymentType: 'zelle', paymentAccountInfo: 'zoe@example.com' }

async function due(count: number, fields: CardFields = bank, of = seller): Promise<WirePayout[]> {
  const made: WirePayout[] = []
  for (let index = 0; index < count; index++) made.push(await duePayout(server, of, owner, fields))
  return made
}
const read = async ({ id }: { id: string }): Promise<WirePayout> =>
  (await pia.get(`/api/admin/payouts/${id}`)).json
const readAll = (payouts: readonly { id: string }[]) => Promise.all(payouts.map(read))
const statesOf = async (payouts: readonly WirePayout[]) => (await readAll(payouts)).map(({ state }) => state)

async function frozen(payouts: readonly WirePayout[]): Promise<WireBatch> {
  const body = {
    paymentType: [...new Set(payouts.map(({ paymentType }) => paymentType))],
    payoutIds: payouts.map(({ id }) => id),
    onePerSeller: true,
  }
  const { json } = await pia.post('/api/admin/payout-batches', body)
  const batch = (await pia.post(`${pathOf(json)}/freeze`)).json
  // An open batch already says how many payments it will make.
  expect(json.paymentCount).toBe(batch.paymentCount)
  return batch
}

/** A batch whose file was downloaded, and the file. */
async function sent(payouts: readonly WirePayout[]): Promise<{ batch: WireBatch; file: Buffer }> {
  const batch = await frozen(payouts)
  await pat.post(`${pathOf(batch)}/release`)
  const { bytes } = await downloadFile(pat, batch)
  return { batch, file: bytes }
}

const upload = async (text: string) =>
  (
    await pia.upload('/api/admin/payout-returns', [
      { name: 'file', filename: 'results.txt', type: 'text/plain', bytes: Buffer.from(text) },
    ])
  ).json

const pay = (payout: WirePayout | undefined, reference: string, by = pia) =>
  by.post(`/api/admin/payouts/${payout?.id}/paid`, { reference })

const entryOf = (payouts: readonly WirePayout[]) => {
  const [first] = payouts
  if (!first) throw new Error('No payout')
  return { trace: traceNumberOf(first.number, testBank), reference: referenceOf(first.submissionId) }
}

const ledgerProblems = async () => (await verifyLedger(server.db)).problems

it('the payouts of a seller to one account leave as one entry with their sum, all others alone', async () => {
  const together = await due(3)
  const other = await server.seller()
  const alone = [
    ...(await due(1, { ...bank, paymentAccountName: 'Sam Seller' })),
    ...(await due(1, { ...bank, paymentAccountType: 'savings' })),
    ...(await due(1, { ...bank, paymentAccountNumber: String(accounts + 1) })),
    ...(await due(1, bank, other)),
  ]
  const { batch, file } = await sent([...alone, ...together])
  expect((await pia.get(pathOf(batch))).json).toMatchObject({
    onePerSeller: true,
    count: 7,
    paymentCount: 5,
    total: '651.00',
  })
  const { entries, problems } = parseAch(file)
  expect(problems).toEqual([])
  expect(entries.map(({ cents, trace }) => [trace, cents])).toEqual([
    [entryOf(together).trace, 27_900n],
    ...alone.map(({ number }) => [traceNumberOf(number, testBank), 9_300n]),
  ])
  expect(entries[0]).toMatchObject({ id: entryOf(together).reference, name: 'SALLY SELLER' })
  const entry = { number: together[0]?.number, count: 3, total: '279.00' }
  expect((await readAll(together)).map((payout) => payout.entry)).toEqual([entry, entry, entry])
  expect((await readAll(alone)).map((payout) => payout.entry)).toEqual([null, null, null, null])
})

it('a batch lists its payments oldest first, each with all of its payouts, also across pages', async () => {
  const early = await due(2)
  const others = await due(2, bank, await server.seller())
  const late = await due(1)
  const batch = await frozen([...others, ...late, ...early])
  const first = await pia.get(`/api/admin/payouts?batchId=${batch.id}&limit=2`)
  const second = await pia.get(linked(first))
  const third = await pia.get(linked(second))
  expect([first, second, third].flatMap(({ json }) => json.map(({ number }: WirePayout) => number))).toEqual(
    [...early, ...late, ...others].map(({ number }) => number),
  )
})

it('the seller gets one email for each payment, and reads of it at each card', async () => {
  await sendMails(server)
  const payouts = await due(4)
  await sendMails(server)
  await sent(payouts)
  const mails = await sendMails(server)
  expect(mails.map(({ subject }) => subject)).toEqual(['Your payout is on its way: $372.00 for 4 cards'])
  const cards = payouts
    .map(({ submissionId }) => `Amazon •••• 5678, $100.00 (${referenceOf(submissionId)}): $93.00\n`)
    .join('')
  expect(mails[0]?.text).toContain(`${cards}Total value: 4 cards, $400.00\nYou receive: $372.00\n`)
  for (const { submissionId } of payouts) {
    const { payout } = (await seller.get(`/api/user/gift-cards/${submissionId}`)).json
    expect(payout).toMatchObject({
      amount: '93.00',
      together: { others: 3, amount: '372.00' },
      reference: shortReferenceOf(payouts[0]?.id ?? ''),
    })
  }
  await upload(nachaReturns([{ ...entryOf(payouts), cents: 37_200, code: 'R03' }]))
  const [told, ...more] = await sendMails(server)
  expect([told?.subject, more]).toEqual(['Your payout of $372.00 came back', []])
  expect(told?.text).toContain('We sent you $372.00 for 4 cards')
})

describe('what the bank reports about an entry', () => {
  it('is true for all its payouts: a return, once, and only of the whole sum', async () => {
    const payouts = await due(3)
    const [alone] = await due(1, { ...bank, paymentAccountNumber: '5566778899' })
    await sent([...payouts, alone as WirePayout])
    const entry = entryOf(payouts)
    const single = (payout: WirePayout | undefined) => entryOf([payout as WirePayout])
    const refused = await upload(
      nachaReturns([
        { ...entry, code: 'R02' },
        { ...single(payouts[1]), code: 'R02' },
        { ...entry, cents: 27_900, code: 'R02', name: 'SAM OTHER' },
      ]),
    )
    expect(refused).toMatchObject({ matched: 0, unmatched: [{ line: 4 }, { line: 6 }, { line: 8 }] })
    expect(await statesOf(payouts)).toEqual(Array(3).fill('exported'))
    await pia.post(`/api/admin/payouts/${payouts[2]?.id}/paid`, { reference: 'ACH-1' })
    expect(await statesOf(payouts)).toEqual(Array(3).fill('paid'))
    const file = nachaReturns([{ ...entry, cents: 27_900, code: 'R02' }])
    const both = await Promise.all([upload(file), upload(file)])
    expect(both.map(({ matched }) => matched).sort()).toEqual([0, 1])
    expect(await statesOf([...payouts, alone as WirePayout])).toEqual([
      ...Array(3).fill('returned'),
      'exported',
    ])
    expect(await ledgerProblems()).toEqual([])
  })

  it('is true for all its payouts: another account number, which each reveal shows', async () => {
    const payouts = await due(2)
    await sent(payouts)
    const file = nachaReturns([{ ...entryOf(payouts), code: 'C01', correction: '1918171614' }])
    expect(await upload(file)).toMatchObject({ matched: 1 })
    expect(await upload(file)).toMatchObject({ matched: 0, already: 1 })
    for (const { id } of payouts) {
      expect((await read({ id })).changeCode).toBe('C01')
      expect((await pia.post(`/api/admin/payouts/${id}/reveal`)).json.correction).toBe('1918171614')
    }
  })

  it("is true for all its payouts: PayPal's result", async () => {
    const payouts = await due(3, {})
    const { file } = await sent(payouts)
    const id = paypalIdOf(payouts[0]?.number ?? 0)
    expect(file.toString()).toMatch(new RegExp(`^sally@example.com,279.00,USD,${id},[^\\n]*\\r\\n$`))
    const rows = (amount: string, of = id) =>
      `Transaction ID,Amount,Unique ID,Status\r\nT1,${amount},${of},Success\r\nT2,${amount},${of},Success`
    expect(await upload(rows('93.00'))).toMatchObject({ matched: 0 })
    expect(await upload(rows('279.00', paypalIdOf(payouts[1]?.number ?? 0)))).toMatchObject({ matched: 0 })
    expect(await upload(rows('279.00'))).toMatchObject({ matched: 1, already: 1 })
    const paid = await readAll(payouts)
    expect(paid.map(({ state, reference }) => [state, reference])).toEqual(Array(3).fill(['paid', 'T1']))
    expect(await ledgerProblems()).toEqual([])
  })

  it('can be recorded by hand at any of its payouts, by two at once', async () => {
    const payouts = await due(3)
    await sent(payouts)
    const answers = await Promise.all(
      payouts.map(({ id }) => pia.post(`/api/admin/payouts/${id}/return`, { reason: 'The branch said so' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await statesOf(payouts)).toEqual(Array(3).fill('returned'))
    expect(await ledgerProblems()).toEqual([])
  })
})

it('one confirmation number of a worksheet is that of the whole payment, if every card may be paid', async () => {
  const payouts = await due(3, zelle)
  const { file } = await sent(payouts)
  await sendMails(server)
  const lines = file.toString().trim().split('\r\n')
  expect(lines).toHaveLength(2)
  for (const { submissionId } of payouts) expect(lines[1]).toContain(referenceOf(submissionId))
  expect(lines[1]).toMatch(/,279\.00$/)
  const [, second] = payouts
  await pat.post(`/api/admin/submissions/${second?.submissionId}/claim`, {})
  expect((await pay(payouts[0], 'Z-1')).json.code).toBe('claimed')
  await pat.delete(`/api/admin/submissions/${second?.submissionId}/claim`)
  const holds = { submissionId: second?.submissionId, reason: 'A dispute' }
  await owner.post('/api/admin/holds', holds)
  expect((await pay(payouts[0], 'Z-1')).json.code).toBe('on_hold')
  await server.pool.query('update holds set lifted_at = now(), lifted_by = placed_by')
  expect((await pay(payouts[2], 'Z-1')).status).toBe(200)
  const paid = await readAll(payouts)
  expect(paid.map(({ state, reference }) => [state, reference])).toEqual(Array(3).fill(['paid', 'Z-1']))
  const mails = await sendMails(server)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('Paid: $279.00 for 3 cards')
  for (const { submissionId } of payouts)
    expect(mails[0]?.text).toContain(`(${referenceOf(submissionId)}): $93.00\n`)
  expect(mails[0]?.text).toContain('You received: $279.00\nPayout to: Zelle')
  const [{ submissionId: giftCardId = '' } = {}] = payouts
  const { json: card } = await owner.get(`/api/admin/submissions/${giftCardId}`)
  const push = await composeMovePush(server.context, server.context.words.en, {
    giftCardId,
    version: card.version,
  })
  expect(push?.values).toMatchObject({ amount: '$279.00', card: '3 cards' })
})

it('entries follow the contents of a batch, and end when it is dissolved', async () => {
  const payouts = await due(3)
  const batch = await frozen(payouts)
  const [first] = payouts
  await pia.post(`/api/admin/payouts/${first?.id}/take-out`)
  expect((await readAll(payouts)).map(({ entry }) => entry)).toEqual([null, null, null])
  await pia.post(`${pathOf(batch)}/freeze`)
  const left = { number: payouts[1]?.number, count: 2, total: '186.00' }
  expect((await readAll(payouts)).map(({ entry }) => entry)).toEqual([null, left, left])
  await pat.post(`${pathOf(batch)}/release`)
  await pat.post(`${pathOf(batch)}/void`)
  expect((await readAll(payouts)).map(({ state, entry }) => [state, entry])).toEqual(
    Array(3).fill(['due', null]),
  )
})

it('an entry is found by its sum and its trace number, and the journal names it in each line', async () => {
  const payouts = await due(3)
  await sent(payouts)
  await pia.post(`/api/admin/payouts/${payouts[0]?.id}/paid`, { reference: 'ACH-301' })
  const found = async (q: string) =>
    (await pia.get(`/api/admin/payouts?${new URLSearchParams({ q })}`)).json.map(({ id }: WirePayout) => id)
  const first = payouts[0]?.id
  expect(await found(entryOf(payouts).trace)).toEqual([first])
  expect(await found(entryOf(payouts.slice(1)).trace)).toEqual([])
  expect(await found('$279.00')).toEqual(expect.arrayContaining(payouts.map(({ id }) => id)))
  const month = new Date().toISOString().slice(0, 7)
  const journal = (await owner.get(`/api/admin/reports/journal.csv?month=${month}`)).text
  expect(journal.split('\n').filter((line) => line.includes('in payment ACH-301'))).toHaveLength(6)
})

it('an entry above what a file can send is refused before it is frozen', async () => {
  const payouts = await due(2)
  await server.db.execute(
    sql`update payouts set amount = 5000000000 where id in ${payouts.map(({ id }) => id)}`,
  )
  const body = { paymentType: 'bank_transfer', payoutIds: payouts.map(({ id }) => id), onePerSeller: true }
  const { json: batch } = await pia.post('/api/admin/payout-batches', body)
  const refused = await pia.post(`${pathOf(batch)}/freeze`)
  expect([refused.status, refused.json.code]).toEqual([409, 'payout_not_batchable'])
  expect(refused.json.message).toContain('$100,000,000.00')
  await pia.post(`${pathOf(batch)}/void`)
  await server.db.execute(sql`update payouts set amount = 9300 where id in ${payouts.map(({ id }) => id)}`)
})
