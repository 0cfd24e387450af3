import { maskCardLike } from '#domain/card-number.ts'
import { type CsvRow, parseCsv } from '#server/http/csv.ts'
import { MAX_LINES, malformed, type PayoutResult, type ResultLine, tooManyLines } from './result-line.ts'

/**
 * Reads PayPal's report of a payment file: CSV with a header. Reports differ in their columns, so a column is found by any of
 * its names. Sources: https://developer.paypal.com/docs/payouts/standard/reports/view-transaction-activities and, for the
 * statuses, https://developer.paypal.com/api/payments.payouts-batch/v1/definitions/transaction_enum
 */

/** Names of the columns, in small letters without spaces. */
const columns = {
  id: ['uniqueid', 'yourreference', 'senderitemid', 'customerid', 'referenceid', 'customid', 'invoiceid'],
  status: ['status', 'transactionstatus', 'paymentstatus'],
  transaction: ['transactionid', 'payoutitemid'],
  amount: ['amount', 'gross', 'grossamount', 'transactionamount'],
} as const
type Column = keyof typeof columns

type Verdict = 'paid' | 'waiting' | { readonly code: string }

const statuses: Readonly<Record<string, Verdict>> = {
  success: 'paid',
  completed: 'paid',
  processed: 'paid',
  pending: 'waiting',
  processing: 'waiting',
  onhold: 'waiting',
  // PayPal waits 30 days for the owner of the address, and returns the money after that.
  unclaimed: 'waiting',
  returned: { code: 'RETURNED' },
  canceled: { code: 'CANCELED' },
  cancelled: { code: 'CANCELED' },
  failed: { code: 'FAILED' },
  denied: { code: 'DENIED' },
  refunded: { code: 'REFUNDED' },
  blocked: { code: 'BLOCKED' },
  reversed: { code: 'REVERSED' },
}

/** Undefined if the text has no header of PayPal's. Throws `Refusal` if it is not CSV or too long. */
export async function readPaypalResults(text: string): Promise<ResultLine[] | undefined> {
  const rows = await parseCsv(text, MAX_LINES)
  if (!rows) return undefined
  const header = rows.slice(0, HEADER_WITHIN).findIndex(({ cells }) => {
    const positions = positionsOf(cells)
    return positions.id !== undefined && positions.status !== undefined
  })
  const head = rows[header]
  if (!head) return undefined
  if (rows.length > MAX_LINES) throw tooManyLines()
  const positions = positionsOf(head.cells)
  return rows.slice(header + 1).map((row) => readRow(row, positions))
}

/** Some reports begin with a summary. */
const HEADER_WITHIN = 20

type Positions = Readonly<Partial<Record<Column, number>>>

function positionsOf(header: readonly string[]): Positions {
  const names = header.map(plain)
  const entries = Object.entries(columns).flatMap(([column, known]) => {
    const position = names.findIndex((name) => (known as readonly string[]).includes(name))
    return position < 0 ? [] : [[column, position] as const]
  })
  return Object.fromEntries(entries)
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

function readRow({ line, cells }: CsvRow, positions: Positions): ResultLine {
  const cell = (column: Column) => cells[positions[column] ?? -1]?.trim() ?? ''
  const [id, status] = [cell('id'), cell('status')]
  if (cells.length <= Math.max(positions.id ?? 0, positions.status ?? 0)) throw malformed(line)
  const shown = [id || 'A payment without an id', status || 'no status', cell('amount')]
    .filter(Boolean)
    .map((part) => maskCardLike(part.slice(0, 40)))
    .join(', ')
  return { line, shown, result: resultOf(cell) }
}

function resultOf(cell: (column: Column) => string): PayoutResult | { why: string } {
  const [, number] = /^payout-(\d{1,15})$/i.exec(cell('id')) ?? []
  if (!number) return { why: 'the id is not one of ours' }
  const verdict = statuses[plain(cell('status'))]
  if (!verdict) return { why: 'the status is not known' }
  if (verdict === 'waiting') return { why: 'PayPal has not decided yet. Import a later report' }
  const amount = cell('amount') === '' ? undefined : centsOf(cell('amount'))
  if (amount === null) return { why: 'the amount cannot be read' }
  const transaction = cell('transaction')
  if (!/^[\w-]{0,40}$/.test(transaction)) return { why: 'the transaction id cannot be read' }
  const common = { sentBy: 'paypal', payoutNumber: Number(number), amount } as const
  const key = `paypal ${number} ${transaction}`
  if (verdict === 'paid')
    return { ...common, key: `${key} paid`, kind: 'paid', reference: transaction || undefined }
  return { ...common, key: `${key} ${verdict.code}`, kind: 'returned', code: verdict.code }
}

/** Cents of "93.00", "-93.00", "$1,093.00" or "93.00 USD". Reports show what left the account as negative. Null for other texts. */
function centsOf(text: string): number | null {
  const [, dollars, cents] = /^-?\$?(\d{1,3}(?:,?\d{3}){0,3})\.(\d\d)(?: USD)?$/.exec(text) ?? []
  return dollars === undefined ? null : Number(dollars.replaceAll(',', '')) * 100 + Number(cents)
}
