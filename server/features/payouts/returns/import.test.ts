import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { auditLog, payoutResults } from '#server/platform/database/schema.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { confirmEmail, sendMails } from '#test/mails.ts'
import { testBank } from '#test/nacha/bank.ts'
import { nachaReturns, type Report } from '#test/nacha/returns.ts'
import { exportedBatch, latestPayoutOf, payoutPaid } from '#test/payouts.ts'
import type { Person, TestAnswer } from '#test/person.ts'
import { type CardFields, submittedIn } from '#test/submissions.ts'
import { traceNumberOf } from '../files/nacha.ts'
import { paypalIdOf } from '../files/paypal.ts'

let server: TestApp
let seller: Person
let staff: Person
beforeAll(async () => {
  server = await createTestApp()
  seller = await server.seller('sally')
  staff = await server.staff()
  await confirmEmail(server, seller)
})

let accounts = 0
/** An account that no payment came back from. */
function newBank(): CardFields {
  accounts += 1
  return {
    paymentType: 'bank_transfer',
    paymentRoutingNumber: '021000021',
    paymentAccountNumber: `98765432${accounts}`,
  }
}

const newWallet = (): CardFields => {
  accounts += 1
  return { paymentAccountInfo: `wallet${accounts}@example.com` }
}

interface Sent {
  readonly id: string
  readonly payoutId: string
  readonly number: number
  /** What the bank's file says about its entry. */
  readonly entry: Pick<Report, 'trace' | 'reference'>
}

/** Submissions whose payouts have left in one file. */
async function exported(count: number, fields: CardFields = newBank()): Promise<Sent[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    ids.push(await submittedIn('processing', { seller, staff }, fields))
  }
  await exportedBatch(server, ids)
  const sent = await Promise.all(ids.map((id) => latestPayoutOf(server, id)))
  return sent.map(({ id, number, giftCardId }) => ({
    id: giftCardId,
    payoutId: id,
    number,
    entry: { trace: traceNumberOf(number, testBank), reference: referenceOf(giftCardId) },
  }))
}

const send = (text: string | Buffer): Promise<TestAnswer> =>
  staff.upload('/api/admin/payout-returns', [
    { name: 'file', filename: 'returns.txt', type: 'text/plain', bytes: Buffer.from(text) },
  ])

const statesOf = (sent: readonly Sent[]) =>
  Promise.all(sent.map(async ({ id }) => (await latestPayoutOf(server, id)).state))

const paypalFile = (rows: readonly (readonly string[])[]): string =>
  [['Transaction ID', 'Recipient', 'Amount', 'Unique ID', 'Status', 'Reason'], ...rows]
    .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
    .join('\r\n')

describe("a bank's file of returns", () => {
  it('returns payouts once, however often it is imported, also half of it or twice at once', async () => {
    const sent = await exported(4)
    const reports = sent.map(({ entry }, index) => ({ ...entry, code: index === 0 ? 'R02' : 'R03' }))
    expect((await send(nachaReturns(reports.slice(0, 1)))).json).toEqual({
      matched: 1,
      already: 0,
      unmatched: [],
    })
    const both = await Promise.all([send(nachaReturns(reports)), send(nachaReturns(reports, ''))])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both.reduce((matched, { json }) => matched + json.matched, 0)).toBe(3)
    expect(both.reduce((already, { json }) => already + json.already, 0)).toBe(5)
    expect(await statesOf(sent)).toEqual(Array(4).fill('returned'))
    expect((await send(nachaReturns(reports))).json).toEqual({ matched: 0, already: 4, unmatched: [] })
    const mails = await sendMails(server)
    const told = mails.filter(({ subject }) => subject === 'Your payout of $93.00 came back')
    expect(told).toHaveLength(4)
    expect(told.filter(({ text }) => text.includes('The bank account is closed'))).toHaveLength(1)
    const [first] = sent
    const { json } = await staff.get(`/api/admin/payouts/${first?.payoutId}`)
    expect(json).toMatchObject({ returnCode: 'R02', returnReason: 'The bank account is closed' })
  })

  it('takes a paid card back to processing, and the books still agree', async () => {
    const [sent] = await exported(1)
    if (!sent) throw new Error('Nothing was sent')
    await payoutPaid(server, sent.id, 'ACH-1')
    expect((await send(nachaReturns([{ ...sent.entry, code: 'R03' }]))).json.matched).toBe(1)
    expect((await staff.get(`/api/admin/submissions/${sent.id}`)).json.status).toBe('processing')
    const { rows } = await server.db.execute(sql`
      select account, sum(amount)::int as cents from ledger_lines
      join ledger_entries on ledger_entries.id = entry_id
      where gift_card_id = ${sent.id} group by account having sum(amount) <> 0 order by account`)
    expect(rows).toEqual([
      { account: 'incoming', cents: 9300 },
      { account: 'payouts_payable', cents: -9300 },
    ])
  })

  it('lists what matches no payout, without the account', async () => {
    const [sent, due] = await exported(2)
    if (!sent || !due) throw new Error('Nothing was sent')
    const { json } = await send(
      nachaReturns([
        { ...sent.entry, code: 'R03', cents: 9301 },
        { ...sent.entry, trace: traceNumberOf(9_999_999, testBank), code: 'R03' },
        { ...sent.entry, trace: '021000020000001', code: 'R03' },
      ]),
    )
    expect(json).toEqual({
      matched: 0,
      already: 0,
      unmatched: [
        {
          line: 4,
          text: `R03 for trace number ${sent.entry.trace}, $93.01: the amount differs, the payout was $93.00`,
        },
        {
          line: 6,
          text: 'R03 for trace number 123456789999999, $93.00: no payout was sent with this number',
        },
        {
          line: 8,
          text: 'R03 for trace number 021000020000001, $93.00: the trace number is not one of ours',
        },
      ],
    })
    expect(await statesOf([sent])).toEqual(['exported'])
    const entries = await server.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'payout.returns_imported'))
      .orderBy(auditLog.id)
    expect(entries.at(-1)?.details).toMatchObject({
      matched: 0,
      already: 0,
      unmatched: 3,
      unmatchedLines: [4, 6, 8],
    })
    expect(JSON.stringify(entries)).not.toContain('98765432')
  })

  it('lists what was sent to somebody else under the same number, as after a restore', async () => {
    const [sent] = await exported(1)
    if (!sent) throw new Error('Nothing was sent')
    const { trace, reference } = sent.entry
    const { json } = await send(
      nachaReturns([
        { trace, reference: '0000-0000', code: 'R03' },
        { trace, reference: '', code: 'R03' },
        { trace, reference, name: 'SOMEBODY ELSE', code: 'R02' },
        { trace, reference, name: 'SOMEBODY ELSE', code: 'C01', correction: '111' },
      ]),
    )
    expect(json.matched).toBe(0)
    expect(json.unmatched.map(({ text }: { text: string }) => text.replace(/^.*?: /, ''))).toEqual([
      `the bank names 0000-0000, the payout was for ${reference}`,
      `the bank names no id, the payout was for ${reference}`,
      'the name differs, the payout was for SALLY SELLER',
      'the name differs, the payout was for SALLY SELLER',
    ])
    expect(await statesOf([sent])).toEqual(['exported'])
    expect(
      (await send(nachaReturns([{ trace, reference, name: 'Sally Seller', code: 'R03' }]))).json.matched,
    ).toBe(1)
  })

  it('may be addressed to an origin with letters, and begin with a byte order mark', async () => {
    const sent = await exported(2)
    const [lettered, marked] = sent.map(({ entry }) => nachaReturns([{ ...entry, code: 'R03' }]))
    const toLetters = lettered?.replace('101 021000021', '101ABC DE-001')
    expect((await send(toLetters ?? '')).json).toEqual({ matched: 1, already: 0, unmatched: [] })
    expect((await send(`\ufeff${marked}`)).json).toEqual({ matched: 1, already: 0, unmatched: [] })
  })

  it('keeps what a bank has on file sealed, shows it on a reveal, and tells the seller', async () => {
    const [sent, savings] = await exported(2)
    if (!sent || !savings) throw new Error('Nothing was sent')
    await sendMails(server)
    const notice = nachaReturns([
      { ...sent.entry, code: 'C01', correction: '11122233344' },
      { ...savings.entry, code: 'C05', correction: '32' },
    ])
    expect((await send(notice)).json).toEqual({ matched: 2, already: 0, unmatched: [] })
    expect((await send(notice)).json).toEqual({ matched: 0, already: 2, unmatched: [] })
    const path = `/api/admin/payouts/${sent.payoutId}`
    expect((await staff.get(path)).json).toMatchObject({ state: 'exported', changeCode: 'C01' })
    expect((await staff.post(`${path}/reveal`)).json).toMatchObject({ correction: '11122233344' })
    const mails = await sendMails(server)
    const subject = 'Your bank has different details for your account'
    expect(mails.map((mail) => mail.subject)).toEqual([subject, subject])
    expect(mails.some(({ text }) => text.includes('111222'))).toBe(false)
    expect(mails.filter(({ text }) => text.includes('the account is a savings account'))).toHaveLength(1)
    const [stored] = await server.db
      .select()
      .from(payoutResults)
      .where(eq(payoutResults.payoutId, sent.payoutId))
    expect(stored?.sealedCorrection?.toString('latin1')).not.toContain('11122233344')
    await server.db
      .update(payoutResults)
      .set({ sealedCorrection: Buffer.alloc(40, 1) })
      .where(eq(payoutResults.payoutId, sent.payoutId))
    expect((await staff.post(`${path}/reveal`)).status).toBe(500)
  })
})

describe("PayPal's report", () => {
  const statusOf = async ({ id }: Sent) => (await staff.get(`/api/admin/submissions/${id}`)).json.status

  it('completes what was paid and returns the rest, line by line and once', async () => {
    const sent = await exported(4, newWallet())
    const [paid, failed, unclaimed, back] = sent
    if (!paid || !failed || !unclaimed || !back) throw new Error('Nothing was sent')
    const row = ({ number }: Sent, status: string, transaction: string, amount = '-93.00') => [
      transaction,
      'sally@example.com',
      amount,
      paypalIdOf(number),
      status,
      '',
    ]
    const file = paypalFile([
      row(paid, 'Completed', '0C413693MN970190K'),
      row(failed, 'Failed', '1C413693MN970190K', '$93.00'),
      row(unclaimed, 'Unclaimed', '2C413693MN970190K'),
      row(back, 'Success', '3C413693MN970190K'),
      row(back, 'Returned', '3C413693MN970190K'),
      ['=HYPERLINK("http://evil.example")', '@cmd', '1.00', '6006493012345678', 'Completed', ''],
      row(paid, 'Completed', '=1+1'),
      row({ ...paid, number: 999_999 }, 'Completed', 'X1'),
    ])
    const { json } = await send(file)
    expect(json).toMatchObject({ matched: 4, already: 0 })
    expect(json.unmatched.map(({ line, text }: { line: number; text: string }) => `${line} ${text}`)).toEqual(
      [
        `4 ${paypalIdOf(unclaimed.number)}, Unclaimed, -93.00: PayPal has not decided yet. Import a later report`,
        expect.stringMatching(/^7 .*, Completed, 1\.00: the id is not one of ours$/),
        `8 ${paypalIdOf(paid.number)}, Completed, -93.00: the transaction id cannot be read`,
        '9 payout-999999, Completed, -93.00: no payout was sent with this number',
      ],
    )
    expect(json.unmatched[1].text).not.toContain('6006493012345678')
    expect(await statesOf(sent)).toEqual(['paid', 'returned', 'exported', 'returned'])
    expect(await statusOf(paid)).toBe('completed')
    expect(await statusOf(back)).toBe('processing')
    expect((await latestPayoutOf(server, paid.id)).reference).toBe('0C413693MN970190K')
    expect((await send(file)).json).toMatchObject({ matched: 0, already: 4 })
    expect(await statesOf(sent)).toEqual(['paid', 'returned', 'exported', 'returned'])
  })

  const paidRows = (sent: readonly Sent[]) =>
    paypalFile(
      sent.map(({ number }) => [`T${number}`, 'ann@x.co', '93.00', paypalIdOf(number), 'Success', '']),
    )

  it('records many payments with as many statements as few, with everything that one payment has', async () => {
    const sent = await exported(12, {})
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const counts: number[] = []
    for (const part of [sent.slice(0, 3), sent.slice(3)]) {
      query.mockClear()
      expect((await send(paidRows(part))).json).toEqual({ matched: part.length, already: 0, unmatched: [] })
      counts.push(query.mock.calls.length)
    }
    query.mockRestore()
    expect(counts[1]).toBe(counts[0])
    const { rows } = await server.db.execute(sql`
      select status, version, (select count(*)::int from status_history where gift_card_id = gift_cards.id) as entries,
        (select count(*)::int from ledger_entries where gift_card_id = gift_cards.id) as posted,
        (select cost::int from inventory where gift_card_id = gift_cards.id) as cost,
        (select count(*)::int from audit_log where subject_id = gift_cards.id::text and details->>'to' = 'completed') as audited,
        (select count(*)::int from audit_log where action = 'payout.paid' and details->>'giftCardId' = gift_cards.id::text) as paid,
        (select count(*)::int from jobs where kind = 'statusMail' and key = gift_cards.id || ':3') as mails,
        (select buyer_id is not null from transactions where gift_card_id = gift_cards.id) as bought
      from gift_cards where id in ${sent.map(({ id }) => id)}`)
    const one = {
      status: 'completed',
      version: 3,
      entries: 3,
      posted: 3,
      cost: 9300,
      audited: 1,
      paid: 1,
      mails: 1,
      bought: true,
    }
    expect(rows).toEqual(sent.map(() => one))
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('records the others if one of them is refused', async () => {
    const sent = await exported(3, {})
    const [, removed] = sent
    await server.db.execute(sql`update gift_cards set cleared_at = now() where id = ${removed?.id}`)
    const { json } = await send(paidRows(sent))
    await server.db.execute(sql`update gift_cards set cleared_at = null where id = ${removed?.id}`)
    expect(json).toMatchObject({ matched: 2, unmatched: [{ line: 3 }] })
    expect(await statesOf(sent)).toEqual(['paid', 'exported', 'paid'])
  })

  it('pays nothing twice if a file is imported twice while its batch is confirmed and a payment is recorded', async () => {
    const sent = await exported(6, {})
    const { batchId } = await latestPayoutOf(server, sent[0]?.id ?? '')
    const answers = await Promise.all([
      send(paidRows(sent)),
      send(paidRows([...sent].reverse())),
      staff.post(`/api/admin/payout-batches/${batchId}/paid`),
      staff.post(`/api/admin/payouts/${sent[3]?.payoutId}/paid`, {}),
    ])
    expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200])
    await sendMails(server)
    expect(await statesOf(sent)).toEqual(Array(6).fill('paid'))
    const { rows } = await server.db.execute(sql`
      select count(*)::int from ledger_entries where event = 'paid' and payout_id in ${sent.map(({ payoutId }) => payoutId)}`)
    expect(rows).toEqual([{ count: 6 }])
    expect((await verifyLedger(server.db)).problems).toEqual([])
  })

  it('reads an activity report with other columns and a summary above', async () => {
    const [sent] = await exported(1, newWallet())
    if (!sent) throw new Error('Nothing was sent')
    const report = [
      'Activity report,November 2026',
      '',
      'Date,Type,Transaction Status,Gross,Fee,Custom ID',
      `11/23/2026,Mass Payment,SUCCESS,"-93.00 USD",-0.25,${paypalIdOf(sent.number).toUpperCase()}`,
    ].join('\n')
    expect((await send(`\ufeff${report}`)).json).toEqual({ matched: 1, already: 0, unmatched: [] })
    expect(await statesOf([sent])).toEqual(['paid'])
  })
})

describe("PayPal's Activity download", () => {
  it('names our payout as its invoice or custom number', async () => {
    const sent = await exported(2, newWallet())
    const [one = '', other = ''] = sent.map(({ number }) => paypalIdOf(number))
    const file = [
      '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address",' +
        '"To Email Address","Transaction ID","Reference Txn ID","Invoice Number","Custom Number"',
      `"11/23/2026","08:00:00","PST","Sally","Mass Pay Payment","Completed","USD","-93.00","-0.25","-93.25","a@b.c","d@e.f","7AB","B-1","${one}",""`,
      `"11/23/2026","08:00:01","PST","Sally","Mass Pay Payment","Completed","USD","-93.00","-0.25","-93.25","a@b.c","d@e.f","8AB","B-1","MP-7","${other}"`,
      '"11/23/2026","09:00:00","PST","Shop","Express Checkout Payment","Completed","USD","12.00","0.00","12.00","a@b.c","d@e.f","9AB","","",""',
    ].join('\n')
    const { json } = await send(`\ufeff${file}`)
    expect(json).toMatchObject({ matched: 2, already: 0, unmatched: [{ line: 4 }] })
    expect(await statesOf(sent)).toEqual(['paid', 'paid'])
  })

  it('does not take money that came in for a payment', async () => {
    const [sent] = await exported(1, newWallet())
    if (!sent) throw new Error('Nothing was sent')
    const header = 'Type,Status,Gross,Transaction ID,Invoice Number'
    const row = `Mass Pay Reversal,Completed,93.00,1AB,${paypalIdOf(sent.number)}`
    const { json } = await send(`${header}\n${row}`)
    expect(json).toMatchObject({
      matched: 0,
      unmatched: [{ text: expect.stringMatching(/: the money came in, so this line is not a payment/) }],
    })
    expect(await statesOf([sent])).toEqual(['exported'])
  })
})

describe('a file that cannot be read', () => {
  const refusal = ({ status, json }: TestAnswer) => `${status} ${json.errors?.[0]?.code ?? json.code}`
  const header = '"Unique ID","Status"\n'

  it.each([
    ['nothing', '', '400 file_required'],
    ['a NUL', 'Unique ID,Status\n\u0000', '415 file_not_text'],
    ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x80]), '415 file_not_text'],
    ['10 MB', Buffer.alloc(10 * 1024 * 1024, 'a'), '413 too_large'],
    ['a little too much', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), '413 file_too_large'],
    ['a million lines', 'a\n'.repeat(1_000_000), '400 results_unknown'],
    ['a million rows', header + 'a,b\n'.repeat(1_000_000), '400 results_too_long'],
    [
      'a million records',
      `${nachaReturns([]).slice(0, 94)}\n${'1\n'.repeat(1_000_000)}`,
      '400 results_too_long',
    ],
    ['an unclosed quote', `${header}"${'x'.repeat(4_000_000)}`, '400 results_unknown'],
    ['half quotes', `${header}${'"a""'.repeat(1_000_000)}`, '400 results_unknown'],
    ['commas', ','.repeat(4_000_000), '400 results_unknown'],
    ['a broken record', nachaReturns([]).replace('\r\n5', '\r\nX'), '400 results_malformed'],
    [
      'an addenda without its entry',
      nachaReturns([]).replace('\r\n8', '\r\n799R03'),
      '400 results_malformed',
    ],
    ['another alphabet', nachaReturns([]).replace('FIRST', 'ÉÉÉÉÉ'), '400 results_malformed'],
  ])('is refused: %s', async (_, content, expected) => {
    expect(refusal(await send(content))).toBe(expected)
  })

  it('is refused as a form without a file', async () => {
    const answer = await staff.upload('/api/admin/payout-returns', [{ name: 'file', value: 'text' }])
    expect(refusal(answer)).toBe('400 file_required')
  })
})
