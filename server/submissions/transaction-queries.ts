import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import type { Status } from '#domain/submission.ts'
import type { Executor } from '#server/database/pool.ts'
import { giftCards, transactions, users } from '#server/database/schema.ts'
import { find, type StaffFilter, totalOf } from './search.ts'

export interface TransactionFilter {
  readonly q?: string | undefined
  readonly status?: Status | undefined
}

export type ListedTransaction = Awaited<ReturnType<typeof listAllTransactions>>[number]

/** Newest first, one more than the limit when more follow. */
export function listAllTransactions(db: Executor, filter: TransactionFilter & Page) {
  return newest(db, filter, sql`null`)
}

/** The same, and how many there are in all. */
export async function pageOfTransactions(db: Executor, filter: TransactionFilter & Page) {
  const rows = await newest(db, filter, sql`found.total`)
  return { rows, total: await totalOf(db, rows, searched(filter)) }
}

/**
 * In the order of the submissions, of which each has one transaction, made with it: so they are filtered and found by
 * the submissions' indexes, and only those of the page are looked up. A cursor is the id of a submission.
 */
function newest(db: Executor, filter: TransactionFilter & Page, total: SQL) {
  const found = sql`${find(searched({ ...filter, limit: filter.limit + 1 }))} as found`
  return db
    .select({
      id: transactions.id,
      giftCardId: transactions.giftCardId,
      amount: transactions.amount,
      status: giftCards.status,
      brandName: giftCards.brandName,
      username: users.username,
      createdAt: transactions.createdAt,
      total: sql<string>`${total}`,
    })
    .from(giftCards)
    .innerJoin(transactions, eq(transactions.giftCardId, giftCards.id))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .innerJoin(found, sql`found.id = ${giftCards.id}`)
    .orderBy(desc(giftCards.id))
}

/** By the same words as submissions, but not by the card's whole number; and by the id of a transaction. */
function searched({ q, status, cursor, limit }: TransactionFilter & Page): StaffFilter & Page {
  return { q, status, cursor, limit, byTransaction: true }
}
