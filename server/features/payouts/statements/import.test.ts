import { beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '#server/features/books/verify.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { exportedBatch, latestPayoutOf } from '#test/payouts.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { submittedIn } from '#test/submissions.ts'

let server: TestApp
let seller: Person
let owner: Person
let pia: Person
beforeAll(async () => {
  server = await createTestApp({ site: { timeZone: 'America/New_York' } })
  seller = await server.seller('sally')
  owner = await server.staff()
  pia = await server.staff('pia', 'payer')
})

let accounts = 0
/** A batch of as many bank transfers of $93.00 that left some days ago. */
async function sent(count: number, daysAgo = 2): Promise<{ id: string; number: number; cards: string[] }> {
  const cards: string[] = []
  for (let index = 0; index < count; index++) {
    accounts += 1
    const bank = { paymentType: 'bank_transfer', paymentRoutingNumber: '021000021' }
    const fields = { ...bank, paymentAccountNumber: `98765432${accounts}` }
    cards.push(await submittedIn('processing', { seller, staff: owner }, fields))
  }
  const id = await exportedBatch(server, cards)
  await server.pool.query(
    'update payout_batches set exported_at = now() - make_interval(days => $2) where id = $1',
    [id, daysAgo],
  )
  return { id, number: (await batchOf(id)).number, cards }
}

const batchOf = async (id: string) => (await owner.get(`/api/admin/payout-batches/${id}`)).json
const file = (bytes: string | Buffer) => ({
  ...{ name: 'file', filename: 'statement.csv', type: 'text/csv' },
  bytes: Buffer.from(bytes),
})
const read = (text: string | Buffer, by = pia): Promise<TestAnswer> =>
  by.upload('/api/admin/bank-statements/read', [file(text)])
const apply = (text: string, decisions: unknown, by = pia): Promise<TestAnswer> =>
  by.upload('/api/admin/bank-statements', [
    file(text),
    { name: 'decisions', value: JSON.stringify(decisions) },
  ])

const dayAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'America/New_York' })
const csv = (...rows: readonly string[]) => ['Date,Description,Amount,Reference', ...rows].join('\n')
const row = (amount: string, text = 'UNSPENT PAYOUT', reference = '', daysAgo = 1) =>
  `${dayAgo(daysAgo)},${text},${amount},${reference}`
const feesOf = async () => {
  const { rows } = await server.pool.query(
    `select value_date::text as on, amount::int from ledger_entries join ledger_lines on entry_id = id
      where account = 'fees' order by id`,
  )
  return rows
}
const refusal = ({ status, json }: TestAnswer) => [status, json.code, json.message]

it('suggests batches and fees, leaves other business out, and applies what the payer decides', async () => {
  const batch = await sent(1)
  const text = csv(
    row('-93.00', 'UNSPENT PAYOUT 4111 1111 1111 1111', 'BANK-7'),
    row('-4.95', 'ACH ORIGINATION FEE'),
    row('-2400.00', 'RENT TO ACCT 123456789'),
    row('500.00', 'DEPOSIT'),
  )
  const { json } = await read(text)
  expect(json).toMatchObject({
    format: 'csv',
    receivedCount: 1,
    lines: [
      {
        line: 2,
        day: dayAgo(1),
        amount: '93.00',
        suggestion: 'batch',
        batchIds: [batch.id],
        isApplied: false,
      },
      { line: 3, amount: '4.95', text: 'ACH ORIGINATION FEE', suggestion: 'fee', batchIds: [] },
      { line: 4, amount: '2400.00', text: 'RENT TO ACCT ••••', suggestion: null },
    ],
    batches: [{ id: batch.id, number: batch.number, total: '93.00', exportedOn: dayAgo(2), unpaidCount: 1 }],
  })
  expect(json.lines[0].text).toBe('UNSPENT PAYOUT ••••')
  expect((await server.pool.query('select from bank_lines')).rowCount).toBe(0)
  const decisions = [
    { line: 2, kind: 'batch', batchId: batch.id },
    { line: 3, kind: 'fee' },
  ]
  expect((await apply(text, decisions)).json).toEqual({
    ...{ settledCount: 1, feeCount: 1, feeTotal: '4.95', alreadyCount: 0 },
  })
  await sendMails(server)
  expect(await batchOf(batch.id)).toMatchObject({
    ...{
      state: 'settled',
      settledBy: 'pia',
      settledOn: dayAgo(1),
      settlementReference: 'BANK-7',
      paidCount: 1,
    },
  })
  // The seller cannot find the reference of the whole batch on a statement.
  expect(await latestPayoutOf(server, batch.cards[0] ?? '')).toMatchObject({ state: 'paid', reference: null })
  expect(await feesOf()).toEqual([{ on: dayAgo(1), amount: 495 }])
  const { rows } = await server.pool.query('select text from bank_lines order by amount')
  expect(rows).toEqual([{ text: 'ACH ORIGINATION FEE' }, { text: 'UNSPENT PAYOUT ••••' }])
  const log = (await owner.get('/api/admin/audit?action=payouts.statement_imported')).json
  expect(log).toMatchObject([{ actor: 'pia', details: { format: 'csv', settledCount: 1, feeCount: 1 } }])
  expect((await read(text)).json.lines).toMatchObject([
    { isApplied: true, suggestion: null },
    { isApplied: true, suggestion: null },
    { isApplied: false },
  ])
  expect((await apply(text, decisions)).json).toMatchObject({ settledCount: 0, feeCount: 0, alreadyCount: 2 })
})

it('applies a line once, in overlapping statements, in two formats of a bank, and twice at once', async () => {
  const before = (await feesOf()).length
  const first = csv(row('-1.00', 'FEE', 'A'), row('-1.00', 'FEE', 'A'), row('-2.00', 'FEE', 'B'))
  const overlapping = csv(
    row('-1.00', 'FEE', 'A'),
    row('-1.00', 'FEE', 'A'),
    row('-1.00', 'FEE', 'A'),
    row('-3.00', 'FEE', 'C'),
  )
  const all = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ line: index + 2, kind: 'fee' }))
  const batch = await sent(2)
  const withBatch = `${first}\n${row('-186.00', 'PAYOUT', 'P')}`
  const decisions = [...all(3), { line: 5, kind: 'batch', batchId: batch.id }]
  const answers = await Promise.all([
    apply(withBatch, decisions),
    apply(withBatch, decisions),
    apply(overlapping, all(4)),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(
    (await feesOf())
      .slice(before)
      .map(({ amount }) => amount)
      .sort(),
  ).toEqual([100, 100, 100, 200, 300])
  expect(answers.reduce((sum, { json }) => sum + json.settledCount, 0)).toBe(1)
  const ofx = `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<STMTTRN><TRNTYPE>FEE<DTPOSTED>${dayAgo(1).replaceAll('-', '')}<TRNAMT>-3.00<FITID>7<NAME>FEE</STMTTRN></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
  expect((await read(ofx)).json.lines).toMatchObject([{ suggestion: 'fee', isFeeBooked: true }])
  await sendMails(server)
})

it('refuses all lines if one does not fit, and names its batch', async () => {
  const [one, two, reported, later] = [await sent(3), await sent(4), await sent(5), await sent(6, 0)]
  await pia.post(`/api/admin/payout-batches/${reported.id}/reject`, { reason: 'Wrong' })
  const paypal = await exportedBatch(server, [await submittedIn('processing', { seller, staff: owner })])
  const text = csv(
    row('-279.00'),
    row('-372.00'),
    row('-465.00'),
    row('-558.00'),
    row('-20000', 'FEE'),
    row('-93'),
    row('5.00'),
    row('-1.25', 'FEE', '', -2),
  )
  const { json } = await read(text)
  expect(json.batches.map(({ id }: { id: string }) => id)).not.toContain(reported.id)
  const claim = (line: number, batchId: string) => ({ line, kind: 'batch', batchId })
  const before = await feesOf()
  const fits = claim(2, one.id)
  for (const [decision, message] of [
    [claim(3, one.id), 'two decisions'],
    [claim(2, two.id), 'two decisions'],
    [claim(4, two.id), `cannot settle batch ${two.number}: it is $465.00, and the batch is $372.00`],
    [claim(4, reported.id), `batch ${reported.number}: somebody reported`],
    [claim(5, later.id), `batch ${later.number}, which was exported later`],
    [claim(7, paypal), 'no batch of bank transfers'],
    [claim(7, '0193aaaa-0000-7000-8000-000000000000'), 'no batch of bank transfers'],
    [{ line: 6, kind: 'fee' }, '$10,000.00, the maximum'],
    [{ line: 9, kind: 'fee' }, 'in the future'],
  ] as const) {
    const answer = await apply(text, [fits, decision])
    expect(refusal(answer)).toEqual([409, 'illegal_batch_move', expect.stringContaining(message)])
  }
  for (const decisions of [
    [{ line: 8, kind: 'fee' }],
    [{ line: 99, kind: 'fee' }],
    [{ line: 2 }],
    'x',
    { line: 2 },
  ]) {
    expect((await apply(text, decisions)).status).toBe(400)
  }
  await pia.post(`/api/admin/payout-batches/${two.id}/settle`, { reference: 'By hand' })
  const raced = await apply(text, [fits, claim(3, two.id)])
  expect(refusal(raced)).toEqual([
    409,
    'illegal_batch_move',
    expect.stringContaining(`batch ${two.number}, which is settled`),
  ])
  expect((await batchOf(one.id)).state).toBe('exported')
  expect(await feesOf()).toEqual(before)
  expect((await apply(text, [fits])).json.settledCount).toBe(1)
  await pia.post(`/api/admin/payout-batches/${reported.id}/reject/withdraw`)
  await sendMails(server)
})

it('of an import and a rejection or a settlement by hand at once, one is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const batch = await sent(1)
    const text = csv(row('-93.00', 'PAYOUT', `R${round}`), row('-1.10', 'FEE', `F${round}`))
    const before = (await feesOf()).length
    const path = `/api/admin/payout-batches/${batch.id}`
    const [applied, other] = await Promise.all([
      apply(text, [
        { line: 2, kind: 'batch', batchId: batch.id },
        { line: 3, kind: 'fee' },
      ]),
      round % 2
        ? owner.post(`${path}/settle`, { reference: 'By hand' })
        : owner.post(`${path}/reject`, { reason: 'Wrong' }),
    ])
    expect([applied.status, other.status].sort()).toEqual([200, 409])
    expect((await feesOf()).length - before).toBe(applied.status === 200 ? 1 : 0)
    if (applied.status === 409 && round % 2 === 0) await owner.post(`${path}/reject/withdraw`)
    await sendMails(server)
  }
})

describe('a file', () => {
  it('may be in Windows-1252 and begin with a byte order mark', async () => {
    const latin = Buffer.from(csv(row('-4.95', 'CAF\xc9 FEE')), 'latin1')
    expect((await read(latin)).json.lines[0].text).toBe('CAFÉ FEE')
    expect((await read(`\ufeff${csv(row('-4.95', 'FEE'))}`)).json.lines).toHaveLength(1)
  })

  it.each([
    ['nothing', '', '400 file_required'],
    ['a NUL', csv('\u0000'), '415 file_not_text'],
    ['UTF-16', Buffer.from(csv(), 'utf16le'), '415 file_not_text'],
    ['10 MB', Buffer.alloc(10 * 1024 * 1024, 'a'), '413 too_large'],
    ['a little too much', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), '413 file_too_large'],
    ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x80, 0x0a]), '400 statement_columns'],
    ['a billion laughs', '<!DOCTYPE a [<!ENTITY a "&a;&a;">]><OFX>&a;</OFX>', '400 statement_unknown'],
  ])('is refused: %s', async (_, content, expected) => {
    const { status, json } = await read(content)
    expect(`${status} ${json.errors?.[0]?.code ?? json.code}`).toBe(expected)
  })

  it('is only for payers', async () => {
    for (const role of ['reviewer', 'auditor'] as const) {
      const other = await server.staff(`${role}1`, role)
      expect((await read(csv(), other)).status).toBe(403)
      expect((await apply(csv(), [], other)).status).toBe(403)
    }
    expect((await read(csv(), seller)).status).toBe(401)
  })
})

it('leaves books that agree', async () => {
  expect((await verifyLedger(server.db)).problems).toEqual([])
})
