import { desc, eq, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import type { Status } from '#domain/submission.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, transactions, users } from '#server/platform/database/schema.ts'
import { wireTime } from '#server/platform/database/wire-time.ts'
import { pages, totalOf } from './search.ts'
import type { StaffFilter } from './search-terms.ts'

export interface TransactionFilter {
  readonly q?: string | undefined
  readonly status?: Status | undefined
}

export type ListedTransaction = Awaited<ReturnType<typeof listAllTransactions>>[number]

/** Newest first, one more than the limit when more follow. */
export function listAllTransactions(db: Executor, filter: TransactionFilter & Page) {
  return uncounted(db, searched(filter))
}

/** The same, and how many there are in all. */
export async function pageOfTransactions(db: Executor, filter: TransactionFilter & Page) {
  const page = searched(filter)
  const rows = await counted(db, page)
  return { rows, total: await totalOf(db, rows, page) }
}

/**
 * In the order of the submissions, of which each has one transaction, made with it: so they are filtered and found by
 * the submissions' indexes, and only those of the page are looked up. A cursor is the id of a submission.
 */
const listed = (name: string, total: string) =>
  pages(name, (db, found) =>
    db
      .select({
        id: transactions.id,
        giftCardId: transactions.giftCardId,
        amount: transactions.amount,
        status: giftCards.status,
        brandName: giftCards.brandName,
        unlistedBrand: giftCards.unlistedBrand,
        username: users.username,
        createdAt: wireTime(transactions.createdAt),
        total: sql<string>`${sql.raw(total)}`,
      })
      .from(giftCards)
      .innerJoin(transactions, eq(transactions.giftCardId, giftCards.id))
      .innerJoin(users, eq(users.id, giftCards.sellerId))
      .innerJoin(found, sql`found.id = ${giftCards.id}`)
      .orderBy(desc(giftCards.id)),
  )
const counted = listed('transactions', 'found.total')
const uncounted = listed('transactions_uncounted', 'null')

/** By the same words as submissions, but not by the card's whole number; and by the id of a transaction. */
function searched({ q, status, cursor, limit }: TransactionFilter & Page): StaffFilter & Page {
  return { q, status, cursor, limit, byTransaction: true }
}
