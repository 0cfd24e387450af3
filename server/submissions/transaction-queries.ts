import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import type { Status } from '#domain/submission.ts'
import type { Executor } from '#server/database/pool.ts'
import { giftCards, transactions, users } from '#server/database/schema.ts'
import { isUuid } from '#server/database/search-text.ts'
import { countStaffCards, staffFilter } from './queries.ts'

export interface TransactionFilter {
  readonly q?: string | undefined
  readonly status?: Status | undefined
}

export type ListedTransaction = Awaited<ReturnType<typeof listAllTransactions>>[number]

/** Newest first, one more than the limit when more follow. */
export async function listAllTransactions(db: Executor, filter: TransactionFilter & Page) {
  return await db
    .select({
      id: transactions.id,
      giftCardId: transactions.giftCardId,
      amount: transactions.amount,
      status: giftCards.status,
      brandName: giftCards.brandName,
      username: users.username,
      createdAt: transactions.createdAt,
    })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .innerJoin(users, eq(users.id, transactions.sellerId))
    .where(and(condition(filter), filter.cursor ? lt(transactions.id, filter.cursor) : undefined))
    .orderBy(desc(transactions.id))
    .limit(filter.limit + 1)
}

/** Each submission has one transaction: unless a transaction's own id is asked for, submissions are counted. */
export async function countAllTransactions(db: Executor, filter: TransactionFilter): Promise<number> {
  if (!isUuid(filter.q)) return countStaffCards(db, filter)
  return (await listAllTransactions(db, { ...filter, limit: 2, cursor: undefined })).length
}

function condition({ q, status }: TransactionFilter) {
  if (!isUuid(q)) return staffFilter({ q, status })
  return and(staffFilter({ status }), or(eq(transactions.id, q), eq(transactions.giftCardId, q)))
}
