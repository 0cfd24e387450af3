import { setImmediate } from 'node:timers/promises'
import { maskCardLike } from '#domain/card-number.ts'
import type { Cents } from '#domain/money.ts'
import { itemOutcomeOf } from '#domain/payout-provider.ts'
import { type CsvRow, parseCsv } from '#server/http/csv.ts'
import { MAX_LINES, malformed, type PayoutResult, type ResultLine, tooManyLines } from './result-line.ts'

/**
 * Reads PayPal's report of a payment file: CSV with a header. Reports differ in their columns, so a column is found by any of
 * its names. Source: https://developer.paypal.com/docs/payouts/standard/reports/view-transaction-activities
 */

/** Names of the columns, in small letters without spaces. */
const columns = {
  // The Activity download has several of these. Ours is in one of them.
  id: [
    'uniqueid',
    'yourreference',
    'senderitemid',
    'customerid',
    'referenceid',
    'customid',
    'customnumber',
    'invoiceid',
    'invoicenumber',
  ],
  status: ['status', 'transactionstatus', 'paymentstatus'],
  transaction: ['transactionid', 'payoutitemid'],
  amount: ['amount', 'gross', 'grossamount', 'transactionamount'],
  /** Negative for what left the account. Other amounts may have no sign. */
  gross: ['gross'],
} as const
type Column = keyof typeof columns

/** Undefined if the text has no header of PayPal's. Throws `Refusal` if it is not CSV or too long. */
export async function readPaypalResults(text: string): Promise<ResultLine[] | undefined> {
  const rows = await parseCsv(text, MAX_LINES)
  if (!rows) return undefined
  const header = rows.slice(0, HEADER_WITHIN).findIndex(({ cells }) => {
    const { id, status } = positionsOf(cells)
    return id.length > 0 && status.length > 0
  })
  const head = rows[header]
  if (!head) return undefined
  if (rows.length > MAX_LINES) throw tooManyLines()
  const positions = positionsOf(head.cells)
  const found: ResultLine[] = []
  for (const [index, row] of rows.slice(header + 1).entries()) {
    if (index % AT_ONCE === 0) await setImmediate()
    found.push(readRow(row, positions))
  }
  return found
}

/** Rows that are read before other requests get a turn. */
const AT_ONCE = 1000

/** Some reports begin with a summary. */
const HEADER_WITHIN = 20

type Positions = Readonly<Record<Column, readonly number[]>>

/** Where each column is, by its names in the order of the table above. */
function positionsOf(header: readonly string[]): Positions {
  const names = header.map(plain)
  const positions = (known: readonly string[]) =>
    known.map((name) => names.indexOf(name)).filter((position) => position >= 0)
  return {
    id: positions(columns.id),
    status: positions(columns.status),
    transaction: positions(columns.transaction),
    amount: positions(columns.amount),
    gross: positions(columns.gross),
  }
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

function readRow({ line, cells }: CsvRow, positions: Positions): ResultLine {
  const cellsOf = (column: Column) => positions[column].map((position) => cells[position]?.trim() ?? '')
  const cell = (column: Column) => cellsOf(column)[0] ?? ''
  if (cells.length <= Math.max(positions.id[0] ?? 0, positions.status[0] ?? 0)) throw malformed(line)
  const ids = cellsOf('id')
  const row = {
    id: ids.find((id) => OUR_ID.test(id)) ?? ids.find((id) => id !== '') ?? '',
    status: cell('status'),
    transaction: cell('transaction'),
    amount: cell('amount'),
    gross: cell('gross'),
  }
  const shown = [row.id || 'A payment without an id', row.status || 'no status', row.amount]
    .filter(Boolean)
    .map((part) => maskCardLike(part.slice(0, 40)))
    .join(', ')
  return { line, shown, result: resultOf(row) }
}

/** The id of one of our payouts in PayPal's files and answers. */
export const OUR_ID = /^payout-(\d{1,15})$/i

function resultOf(row: Readonly<Record<Column, string>>): PayoutResult | { why: string } {
  const [, number] = OUR_ID.exec(row.id) ?? []
  if (!number) return { why: 'the id is not one of ours' }
  const outcome = itemOutcomeOf(row.status)
  if (!outcome) return { why: 'the status is not known' }
  if (outcome !== 'paid' && 'waits' in outcome) {
    return { why: 'PayPal has not decided yet. Import a later report' }
  }
  const amount = row.amount === '' ? undefined : centsOf(row.amount)
  if (amount === null) return { why: 'the amount cannot be read' }
  const { transaction } = row
  if (outcome === 'paid' && row.gross !== '' && !row.gross.startsWith('-')) {
    return { why: 'the money came in, so this line is not a payment. Record a return by hand' }
  }
  if (!/^[\w-]{0,40}$/.test(transaction)) return { why: 'the transaction id cannot be read' }
  return toPaypalResult(outcome === 'paid' ? undefined : outcome.code, { number, transaction, amount })
}

/** What PayPal's file or API says about a payout. @param code why it came back; undefined if it was paid */
export function toPaypalResult(
  code: string | undefined,
  { number, transaction, amount }: { number: string; transaction: string; amount: Cents | undefined },
): PayoutResult {
  const common = { sentBy: 'paypal', payoutNumber: Number(number), amount } as const
  const key = `paypal ${number} ${transaction}`
  if (code === undefined)
    return { ...common, key: `${key} paid`, kind: 'paid', reference: transaction || undefined }
  return { ...common, key: `${key} ${code}`, kind: 'returned', code }
}

/** Cents of "93.00", "-93.00", "$1,093.00" or "93.00 USD". Reports show what left the account as negative. Null for other texts. */
function centsOf(text: string): number | null {
  const [, dollars, cents] = /^-?\$?(\d{1,3}(?:,?\d{3}){0,3})\.(\d\d)(?: USD)?$/.exec(text) ?? []
  return dollars === undefined ? null : Number(dollars.replaceAll(',', '')) * 100 + Number(cents)
}
