import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type StaffTransaction, staffTransaction } from '#contract/staff.ts'
import type { Page } from '#contract/values.ts'
import { maskCardLike } from '#domain/card-number.ts'
import type { Role } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { isNamedBy, record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { csvLine, csvPages } from '#server/http/csv.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { giftCards, transactions, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { type FoundPage, findPage, type StaffFilter, searchCondition, totalOf } from './search.ts'

/** Rows read at once for an export. */
const EXPORT_ROWS = 1000

type TransactionFilter = Pick<StaffFilter, 'q' | 'status'>

/** A page of all transactions, newest first, and one more than the limit if there are more. */
export async function listTransactions(
  { db }: { db: Executor },
  { role }: Pick<Staff, 'role'>,
  { q, status, cursor, limit }: TransactionFilter & Page,
) {
  const page = await findPage(db, { q, status, cursor, limit, role })
  const rows = await findTransactions(db, page, true)
  const total = await totalOf(db, rows, { total: page.total, cursor })
  return { rows, total }
}

/** All transactions as CSV. Recorded in the audit log. */
export async function exportTransactions(
  { db }: Context,
  staff: Staff,
  filter: TransactionFilter,
): Promise<AsyncIterable<string>> {
  await transaction(db, async (tx) => {
    const { q, ...others } = filter
    // The search may be a whole card number.
    const searched = q && { q: maskCardLike(q), sellers: await findSellers(tx, q, staff.role) }
    await record(tx, {
      actor: staff,
      action: 'transactions.exported',
      subject: { kind: 'transactions', id: 'all' },
      details: { ...others, ...searched },
    })
  })
  return csvPages<StaffTransaction>(
    columns,
    async (last) => {
      const { role } = staff
      const page = { ...filter, role, cursor: last?.giftCardId, limit: EXPORT_ROWS }
      const rows = await findTransactions(db, await findPage(db, page), false)
      return z.encode(z.array(staffTransaction), rows.slice(0, EXPORT_ROWS))
    },
    (row) => csvLine(columns.map((column) => row[column])),
  )
}

/** A search that matches more sellers is not about one of them. */
const MAX_SELLERS = 20

/**
 * The ids of the sellers that a search names, or whose cards it finds. Empty if there are too many. The entry of an export keeps
 * them when the text is removed with the account of one of them.
 */
async function findSellers(tx: Transaction, q: string, role: Role): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from users where deleted_at is null and ${isNamedBy(sql`${maskCardLike(q)}`)}
    union select seller_id from gift_cards where cleared_at is null and ${await searchCondition(tx, { q, role })}
    limit ${MAX_SELLERS + 1}`)
  return rows.length > MAX_SELLERS ? [] : rows.map(({ id }) => id).sort()
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

/** Ordered by submission, each of which has one transaction. A cursor is the id of a submission. */
function findTransactions(db: Executor, { found, order, name, values }: FoundPage, counted: boolean) {
  return db
    .select({
      id: transactions.id,
      giftCardId: transactions.giftCardId,
      type: sql<'sell'>`'sell'`,
      // What the seller would get: the price of an open offer, or the quote.
      amount: sql<number>`coalesce(${giftCards.offerAmount}, ${transactions.amount})`.mapWith(
        transactions.amount,
      ),
      status: giftCards.status,
      brandName: giftCards.brandName,
      unlistedBrand: giftCards.unlistedBrand,
      username: users.username,
      createdAt: transactions.createdAt,
      total: counted ? sql<number>`found.total` : sql<number>`null`,
    })
    .from(giftCards)
    .innerJoin(transactions, eq(transactions.giftCardId, giftCards.id))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .innerJoin(found, sql`found.id = ${giftCards.id}`)
    .orderBy(order)
    .prepare(name && `transactions_${counted ? 'counted' : 'all'}_${name}`)
    .execute(values)
}
