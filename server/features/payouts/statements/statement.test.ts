import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Refusal } from '#server/http/refusal.ts'
import { readCsvStatement } from './csv-statement.ts'
import { readMarkupStatement } from './markup-statement.ts'
import { centsOf, dayOf, type Statement } from './statement.ts'

const sample = (name: string) =>
  readFileSync(join(import.meta.dirname, 'samples', name), 'utf8').replace(/^\ufeff/, '')
const shown = ({ lines }: Statement) =>
  lines.map(({ line, day, amount, text, account, id, reference, isFee }) =>
    [line, day, amount, text, account, id, reference, isFee && 'fee'].filter(Boolean).join(' | '),
  )

it.each([
  ['1,234.56', 123_456],
  ['-1,234.56', -123_456],
  ['($1,234.56)', -123_456],
  ['12.50-', -1250],
  ['\u221212.5', -1250],
  ['+12', 1200],
  ['.5', 50],
  ['12.', 1200],
  ['12.3400', 1234],
  ['-12.50 USD', -1250],
  ['1.234,56', 123_456],
  ['12,5', 1250],
  ['1,234', 123_400],
  ['0.00', 0],
  ['-0.00', 0],
])('reads the amount %s', (text, cents) => {
  expect(centsOf(text)).toBe(cents)
})

it.each([
  '',
  '-',
  '.',
  ',',
  '1.234',
  '1,23,456',
  '12.345',
  '1e5',
  '0x10',
  'NaN',
  '--1',
  '-1-',
  '(-1)',
  '12.34.56',
  '1'.repeat(13),
  '٣',
])('does not take %j for an amount', (text) => {
  expect(centsOf(text)).toBeUndefined()
})

it.each([
  ['2026-11-24', '2026-11-24'],
  ['2026-11-24T10:00:00-05:00', '2026-11-24'],
  ['2026/1/4', '2026-01-04'],
  ['20261124', '2026-11-24'],
  ['20261124120000.000[-5:EST]', '2026-11-24'],
  ['11/24/2026', '2026-11-24'],
  ['1/4/26', '2026-01-04'],
  ['04/05/2026', '2026-04-05'],
  ['11-24-2026', '2026-11-24'],
  ['24.11.2026', '2026-11-24'],
  ['Nov 24, 2026', '2026-11-24'],
  ['24-Nov-26', '2026-11-24'],
  ['24 November 2026', '2026-11-24'],
  ['2/29/2028', '2028-02-29'],
])('reads the day %s', (text, day) => {
  expect(dayOf(text)).toBe(day)
})

it.each([
  '',
  '24/11/2026',
  '2026-13-01',
  '2/29/2026',
  '00/10/2026',
  '11/24',
  '1124',
  '0000-01-01',
  '1899-01-01',
  '20261301',
  '99999999',
  'Foo 1, 2026',
  '2026-11-244',
])('does not take %j for a day', (text) => {
  expect(dayOf(text)).toBeUndefined()
})

describe('a real file', () => {
  it('in CSV, with what a bank in the United States calls its columns', async () => {
    expect(shown(await readCsvStatement(sample('checking.csv')))).toEqual([
      '2 | 2026-11-24 | -9300 | UNSPENT INC      PAYOUT     PPD ID: 1987654321',
      '3 | 2026-11-24 | -495 | ACH ORIGINATION FEE',
      '4 | 2026-11-23 | 125000 | DEPOSIT  ID NUMBER 812345',
      '5 | 2026-11-20 | -240000 | ONLINE PAYMENT, ACCT 123456789 OFFICE RENT',
    ])
  })

  it('in CSV with semicolons, decimal commas, and columns for debits and credits', async () => {
    expect(shown(await readCsvStatement(sample('semicolons.csv')))).toEqual([
      '2 | 2026-11-24 | -1250 | Gebühr Kontoführung | 5678 | R-100',
      '3 | 2026-11-24 | -109300 | Payouts | 5678 | R-101',
      '4 | 2026-11-25 | 500000 | Eingang | 5678 | R-102',
    ])
  })

  const payout = '-9300 | UNSPENT INC PAYOUT AT&T PPD | 6789 | 202611240001 | 202611240001'
  const fee = '-495 | ACH MONTHLY | 6789 | 202611240002 | 202611240002 | fee'
  it('in OFX 1, whose values have no closing tags', async () => {
    expect(shown(await readMarkupStatement(sample('checking.qfx')))).toEqual([
      `40 | 2026-11-24 | ${payout}`,
      `48 | 2026-11-24 | ${fee}`,
      '55 | 2026-11-23 | 125000 | DEPOSIT | 6789 | 202611230009 | 202611230009',
    ])
  })

  it('in OFX 2', async () => {
    expect(shown(await readMarkupStatement(sample('checking.ofx')))).toEqual([
      `15 | 2026-11-24 | ${payout}`,
      `23 | 2026-11-24 | ${fee}`,
    ])
  })

  it('in camt.053, without pending entries, and with any prefix', async () => {
    const expected = [
      '9 | 2026-11-24 | -9300 | UNSPENT INC PAYOUT | 6789 | 20261124-0001 | 20261124-0001',
      '24 | 2026-11-24 | -495 | ACH monthly | 6789 | 2 | fee',
    ]
    const text = sample('checking.camt.xml')
    expect(shown(await readMarkupStatement(text))).toEqual(expected)
    const prefixed = text.replace(/<(\/?)(?=[A-Z])/g, '<$1ns2:')
    expect(shown(await readMarkupStatement(prefixed))).toEqual(expected)
  })

  it('keeps lines apart that only their account distinguishes, and reads single lines', async () => {
    const text = sample('checking.qfx').replaceAll('\n', '').replace('<OFX>', '\n<OFX>')
    expect(shown(await readMarkupStatement(text))).toHaveLength(3)
  })
})

/** The codes of a refusal, with their lines. */
async function refusalOf(reading: Promise<unknown>): Promise<string[]> {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw new Error(`Not refused: ${error}`)
  return (error.errors ?? []).map(({ code, params }) => {
    const { line, ...others } = (params ?? {}) as Record<string, unknown>
    return [code, line, ...Object.values(others)]
      .filter((value) => value !== undefined && value !== '')
      .join(' ')
  })
}

describe('a table', () => {
  const read = (text: string) => readCsvStatement(text)

  it('begins where its columns are named, and may have balances without an amount', async () => {
    const text =
      'Summary\r\nBeginning balance as of 11/01/2026,,"1,000.00"\r\n\r\nDate,Description,Amount\r\n11/24/2026,ACH FEE,-4.95\r\n11/30/2026,Ending balance,\r\n'
    expect(shown(await read(text))).toEqual(['5 | 2026-11-24 | -495 | ACH FEE'])
  })

  it('may say in a column whether money left', async () => {
    const text =
      'Date\tDescription\tAmount\tDr/Cr\n11/24/2026\tFee\t4.95\tDR\n11/24/2026\tDeposit\t5.00\tCR\n'
    expect(shown(await read(text)).map((line) => line.slice(17))).toEqual(['-495 | Fee', '500 | Deposit'])
  })

  it('names the columns that are missing, and those it has', async () => {
    expect(await refusalOf(read('Date,Foo,Balance\n11/24/2026,1,2\n'))).toEqual([
      'statement_columns Amount (or Debit), Description Date, Foo, Balance',
    ])
    expect(await refusalOf(read('just text'))).toEqual([
      'statement_columns Date, Amount (or Debit), Description just text',
    ])
  })

  it('names each line that cannot be read, up to twenty', async () => {
    const head = 'Date,Description,Debit,Credit,Currency\n'
    const rows = [
      '24/11/2026,a,1,,USD',
      '11/24/2026,a,1.234,,USD',
      '11/24/2026,a,1,1,USD',
      '11/24/2026,a,1,,EUR',
    ]
    expect(await refusalOf(read(head + rows.join('\n')))).toEqual([
      'statement_day 2 24/11/2026',
      'statement_amount 3 1.234',
      'statement_amount 4 1 1',
      'statement_currency 5 EUR',
    ])
    expect(await refusalOf(read(head + 'x,a,1,,\n'.repeat(1000)))).toHaveLength(20)
  })

  it('has at most 5,000 lines', async () => {
    const text = `Date,Description,Amount\n${'11/24/2026,a,-1\n'.repeat(5001)}`
    expect(await refusalOf(read(text))).toEqual(['results_too_long 5000'])
  })
})

describe('hostile markup', () => {
  const entry = '<STMTTRN><DTPOSTED>20261124<TRNAMT>-1<FITID>1</STMTTRN>'
  const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'abcdefghij'[n + 1]} "${`&${'abcdefghij'[n]};`.repeat(10)}">`).join('')}]><Document><Stmt>&j;</Stmt></Document>`
  it.each([
    ['a billion laughs', laughs, 'statement_unknown'],
    ['a document type alone', '<!DOCTYPE OFX SYSTEM "file:///etc/passwd"><OFX></OFX>', 'statement_unknown'],
    ['a million levels', `<Document>${'<a>'.repeat(1_000_000)}`, 'statement_unknown'],
    ['a million ends', `<OFX>${'</a>'.repeat(1_000_000)}`, 'statement_cut_off'],
    ['a million attributes', `<OFX ${'a="1" '.repeat(1_000_000)}>`, 'statement_unknown'],
    ['a tag of 5 MB', `<OFX><${'a'.repeat(5_000_000)}`, 'statement_cut_off'],
    ['a comment without an end', `<OFX><!--${'a'.repeat(5_000_000)}`, 'statement_cut_off'],
    [
      'a value of 5 MB',
      `<OFX><STMTRS><STMTTRN><NAME>${'a<![CDATA[b]]>'.repeat(350_000)}`,
      'statement_cut_off',
    ],
    ['80,000 entries', `<OFX><STMTRS>${entry.repeat(80_000)}`, 'results_too_long 5000'],
    ['250,000 empty entries', `<OFX><STMTRS>${'<STMTTRN></STMTTRN>'.repeat(250_000)}`, 'statement_day 1'],
    ['another document', '<Document><Foo/></Document>', 'statement_unknown'],
    ['a web page', '<html><body><p>Sign in</p></body></html>', 'statement_unknown'],
    ['no end', sample('checking.qfx').slice(0, -10), 'statement_cut_off'],
    ['another currency', sample('checking.ofx').replace('USD', 'MXN'), 'statement_currency 15 MXN'],
    [
      'a day that is none',
      sample('checking.ofx').replace('20261124120000.000[-5:EST]', '20261324'),
      'statement_day 15 20261324',
    ],
    [
      'a negative amount',
      sample('checking.camt.xml').replace('>93.00', '>-93.00'),
      'statement_amount 9 -93.00',
    ],
    [
      'money that neither left nor came',
      sample('checking.camt.xml').replace('>DBIT', '>BOTH'),
      'statement_amount 9 93.00',
    ],
  ])('is refused: %s', async (_, text, expected) => {
    expect((await refusalOf(readMarkupStatement(text)))[0]).toBe(expected)
  })
})
