import { setImmediate } from 'node:timers/promises'
import { visibleEnd } from '#domain/card-number.ts'
import { type CsvRow, parseCsv } from '#server/http/csv.ts'
import { invalid } from '#server/http/refusal.ts'
import {
  BadLines,
  centsOf,
  dayOf,
  MAX_LINES,
  requireFewLines,
  type Statement,
  type StatementLine,
  unreadable,
} from './statement.ts'

/**
 * Reads the CSV download of a bank. Banks name their columns differently, so a column is found by any of its names, in small letters
 * without spaces. The first one in the table counts: booking days before days of purchase.
 */
const columns = {
  day: [
    ...['date', 'bookingdate', 'postingdate', 'posteddate', 'postdate', 'dateposted', 'bookdate'],
    ...['transactiondate', 'valuedate', 'effectivedate'],
  ],
  amount: ['amount', 'transactionamount', 'amountusd', 'netamount'],
  debit: [
    'debit',
    'debits',
    'debitamount',
    'withdrawal',
    'withdrawals',
    'withdrawalamount',
    'moneyout',
    'paidout',
  ],
  credit: ['credit', 'credits', 'creditamount', 'deposit', 'deposits', 'depositamount', 'moneyin', 'paidin'],
  reference: [
    'reference',
    'referencenumber',
    'bankreference',
    'transactionid',
    'referenceno',
    'checknumber',
    'checkorslip',
  ],
  account: ['account', 'accountnumber', 'accountno'],
  currency: ['currency', 'currencycode'],
} as const
type Column = keyof typeof columns

/** Columns of which every text is shown. */
const texts = [
  ...['description', 'transactiondescription', 'narrative', 'payee', 'name', 'memo', 'details'],
  'extendeddetails',
]

/** Columns that can say whether an amount without a sign left or came in. */
const sides = ['creditdebit', 'debitcredit', 'drcr', 'crdr', 'creditdebitindicator', 'details', 'type']
const LEFT = /^(debit|dr|d|db|dbit|withdrawal)$/i
const CAME_IN = /^(credit|cr|c|crdt|deposit)$/i
const isSide = (cell: string) => LEFT.test(cell) || CAME_IN.test(cell)

/** Some downloads begin with a summary. */
const HEADER_WITHIN = 20
/** Rows that are read before other requests get a turn. */
const AT_ONCE = 1000

/** Throws `Refusal` if the text is no table of bookings, with the columns that are missing or the lines that cannot be read. */
export async function readCsvStatement(text: string): Promise<Statement> {
  const rows = await parseCsv(text, MAX_LINES + HEADER_WITHIN, separatorOf(text))
  if (!rows || rows.length === 0) throw unreadable('statement_unknown')
  const { positions, body } = findHeader(rows)
  requireFewLines(body.length)
  const bad = new BadLines()
  const lines: StatementLine[] = []
  for (const [index, row] of body.entries()) {
    if (index % AT_ONCE === 0) await setImmediate()
    const read = readRow(row, positions, bad)
    if (read) lines.push(read)
  }
  bad.requireNone()
  return { format: 'csv', lines }
}

/** The most frequent separator in the first lines, which have the header. */
function separatorOf(text: string): ',' | ';' | '\t' {
  const start = text.slice(0, 2000)
  const countOf = (separator: string) => start.split(separator).length
  const [first = ','] = ([',', ';', '\t'] as const).toSorted((a, b) => countOf(b) - countOf(a))
  return first
}

type Positions = Readonly<Record<Column, number>> & Readonly<Record<'texts' | 'sides', readonly number[]>>

/** Throws `Refusal` if no row among the first ones names the columns that a statement needs. */
function findHeader(rows: readonly CsvRow[]): { positions: Positions; body: readonly CsvRow[] } {
  const heads = rows.slice(0, HEADER_WITHIN)
  const found = heads.findIndex(({ cells }) => missingOf(positionsOf(cells)).length === 0)
  const head = rows[found]
  if (head) return { positions: positionsOf(head.cells), body: rows.slice(found + 1) }
  const nearest = heads.toSorted(
    (a, b) => missingOf(positionsOf(a.cells)).length - missingOf(positionsOf(b.cells)).length,
  )[0]
  const cells = nearest?.cells ?? []
  const missing = missingOf(positionsOf(cells)).join(', ')
  const columnNames = cells.filter((cell) => cell.trim() !== '').map((cell) => cell.trim().slice(0, 30))
  throw invalid([
    {
      path: 'file',
      code: 'statement_columns',
      params: { missing, found: columnNames.slice(0, 20).join(', ') },
    },
  ])
}

function positionsOf(header: readonly string[]): Positions {
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const entries = Object.entries(columns).map(([column, known]) => {
    const first = known.find((name) => names.includes(name))
    return [column, first === undefined ? -1 : names.indexOf(first)] as const
  })
  const positions = Object.fromEntries(entries) as Record<Column, number>
  const all = (known: readonly string[]) =>
    known.map((name) => names.indexOf(name)).filter((position) => position >= 0)
  return { ...positions, texts: all(texts), sides: all(sides) }
}

function missingOf({ day, amount, debit, texts: shown }: Positions): string[] {
  return [
    ...(day < 0 ? ['Date'] : []),
    ...(amount < 0 && debit < 0 ? ['Amount (or Debit)'] : []),
    ...(shown.length === 0 ? ['Description'] : []),
  ]
}

/** Undefined for a row without an amount, such as a balance, and one that cannot be read. */
function readRow({ line, cells }: CsvRow, positions: Positions, bad: BadLines): StatementLine | undefined {
  const at = (position: number) => cells[position]?.trim() ?? ''
  const cell = (column: Column) => at(positions[column])
  const [amount, debit, credit] = [cell('amount'), cell('debit'), cell('credit')]
  const given = [amount, debit, credit].filter((value) => value !== '')
  if (given.length === 0) return undefined
  const day = dayOf(cell('day'))
  if (day === undefined) return void bad.add(line, 'statement_day', cell('day'))
  const currency = cell('currency')
  if (currency !== '' && currency.toUpperCase() !== 'USD') {
    return void bad.add(line, 'statement_currency', currency)
  }
  const cents = signedOf({ amount, debit, credit, side: positions.sides.map(at).find(isSide) ?? '' })
  if (cents === undefined) return void bad.add(line, 'statement_amount', given.join(' '))
  return {
    line,
    day,
    amount: cents,
    text: positions.texts
      .filter((position) => !(positions.sides.includes(position) && isSide(at(position))))
      .map(at)
      .filter(Boolean)
      .join(' '),
    account: visibleEnd(cell('account')),
    id: undefined,
    reference: cell('reference') || undefined,
    isFee: false,
  }
}

type Amounts = Readonly<Record<'amount' | 'debit' | 'credit' | 'side', string>>

/** Undefined if an amount cannot be read, or if the money both left and came in. */
function signedOf({ amount, debit, credit, side }: Amounts): number | undefined {
  if (amount !== '') {
    const cents = centsOf(amount)
    if (cents === undefined) return undefined
    if (LEFT.test(side)) return -Math.abs(cents)
    return CAME_IN.test(side) ? Math.abs(cents) : cents
  }
  const [left, cameIn] = [debit, credit].map((cell) => (cell === '' ? 0 : centsOf(cell)))
  if (left === undefined || cameIn === undefined || (left !== 0 && cameIn !== 0)) return undefined
  return left === 0 ? Math.abs(cameIn) : -Math.abs(left)
}
