import type { StaffTransaction } from '#contract/staff.ts'
import type { Page } from '#contract/values.ts'
import { maskCardLike } from '#domain/card-number.ts'
import { toDecimal } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { csvLine } from './csv.ts'
import * as queries from './transaction-queries.ts'

/** Rows that an export reads at once. */
const EXPORT_ROWS = 1000

/** A page of all transactions, newest first, and how many there are. */
export async function listAllTransactions({ db }: Context, filter: queries.TransactionFilter & Page) {
  const { rows, total } = await queries.pageOfTransactions(db, filter)
  return { rows: rows.map(toStaffTransaction), total }
}

/** All of them as CSV, read as it is sent, so that they are never in memory at once; who exported is written down. */
export async function exportTransactions(
  { db }: Context,
  staff: Staff,
  filter: queries.TransactionFilter,
): Promise<AsyncIterable<string>> {
  await transaction(db, (tx) =>
    record(tx, {
      actor: staff,
      action: 'transactions.exported',
      subject: { kind: 'transactions', id: 'all' },
      // Somebody may have searched for a whole card number.
      details: { ...filter, ...(filter.q !== undefined && { q: maskCardLike(filter.q) }) },
    }),
  )
  return csvPages(db, filter)
}

const columns = [
  'id',
  'createdAt',
  'type',
  'status',
  'amount',
  'brandName',
  'username',
  'giftCardId',
] as const

async function* csvPages(db: Database, filter: queries.TransactionFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let cursor: string | undefined; ; ) {
    const found = await queries.listAllTransactions(db, { ...filter, cursor, limit: EXPORT_ROWS })
    const rows = found.slice(0, EXPORT_ROWS).map(toStaffTransaction)
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map((column) => row[column]))).join('')
    if (found.length <= EXPORT_ROWS) return
    cursor = rows.at(-1)?.giftCardId
  }
}

function toStaffTransaction(row: queries.ListedTransaction): StaffTransaction {
  return { ...row, type: 'sell', amount: toDecimal(row.amount), createdAt: row.createdAt.toISOString() }
}
