import { eq, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import type { Status } from '#domain/submission.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, transactions, users } from '#server/platform/database/schema.ts'
import { findPage, totalOf } from './search.ts'
import type { StaffFilter } from './search-terms.ts'

export interface TransactionFilter {
  readonly q?: string | undefined
  readonly status?: Status | undefined
}

export type ListedTransaction = Awaited<ReturnType<typeof listAllTransactions>>[number]

/** Newest first, one more than the limit when more follow. */
export function listAllTransactions(db: Executor, filter: TransactionFilter & Page) {
  return listed(db, searched(filter), false)
}

/** The same, and how many there are in all. */
export async function pageOfTransactions(db: Executor, filter: TransactionFilter & Page) {
  const page = searched(filter)
  const rows = await listed(db, page, true)
  return { rows, total: await totalOf(db, rows, page) }
}

/** By the same words as submissions, but not by the card's whole number; and by the id of a transaction. */
function searched({ q, status, cursor, limit }: TransactionFilter & Page): StaffFilter & Page {
  return { q, status, cursor, limit, byTransaction: true }
}

/**
 * In the order of the submissions, of which each has one transaction, made with it: so they are filtered and found by
 * the submissions' indexes, and only those of the page are looked up. A cursor is the id of a submission.
 */
function listed(db: Executor, page: StaffFilter & Page, counted: boolean) {
  const { found, order, name } = findPage(page)
  return db
    .select({
      id: transactions.id,
      giftCardId: transactions.giftCardId,
      amount: transactions.amount,
      status: giftCards.status,
      brandName: giftCards.brandName,
      unlistedBrand: giftCards.unlistedBrand,
      username: users.username,
      createdAt: transactions.createdAt,
      total: counted ? sql<string>`found.total` : sql<string>`null`,
    })
    .from(giftCards)
    .innerJoin(transactions, eq(transactions.giftCardId, giftCards.id))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .innerJoin(found, sql`found.id = ${giftCards.id}`)
    .orderBy(order)
    .prepare(name && `transactions_${counted ? 'counted' : 'all'}_${name}`)
    .execute()
}
