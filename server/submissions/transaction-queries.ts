import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import type { Status } from '#domain/submission.ts'
import type { Executor } from '#server/database/pool.ts'
import { giftCards, transactions, users } from '#server/database/schema.ts'
import { isUuid } from '#server/database/search-text.ts'
import { type Found, find } from './search.ts'

export interface TransactionFilter {
  readonly q?: string | undefined
  readonly status?: Status | undefined
}

export type ListedTransaction = Awaited<ReturnType<typeof selectTransactions>>[number]

/**
 * In the order of the submissions, of which each has one transaction, made with it: so they are filtered and found by
 * the submissions' indexes. A cursor is the id of a submission.
 */
function selectTransactions(db: Executor, where: SQL | undefined, limit: number) {
  return db
    .select({
      id: transactions.id,
      giftCardId: transactions.giftCardId,
      amount: transactions.amount,
      status: giftCards.status,
      brandName: giftCards.brandName,
      username: users.username,
      createdAt: transactions.createdAt,
    })
    .from(giftCards)
    .innerJoin(transactions, eq(transactions.giftCardId, giftCards.id))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(where)
    .orderBy(desc(giftCards.id))
    .limit(limit)
}

/** Newest first, one more than the limit when more follow. */
export async function listAllTransactions(
  db: Executor,
  { limit, cursor, ...filter }: TransactionFilter & Page,
): Promise<ListedTransaction[]> {
  return newest(db, await findTransactions(db, filter), { limit, cursor })
}

/** The same, and how many there are in all. */
export async function pageOfTransactions(
  db: Executor,
  { limit, cursor, ...filter }: TransactionFilter & Page,
) {
  const found = await findTransactions(db, filter)
  const [rows, total] = await Promise.all([newest(db, found, { limit, cursor }), found.total()])
  return { rows, total }
}

/** The page is cut out of the submissions first: only its transactions are looked up. */
async function newest(db: Executor, found: Found, { limit, cursor }: Page): Promise<ListedTransaction[]> {
  const page = db
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(found.newest({ cursor, limit: limit + 1 }))
    .orderBy(desc(giftCards.id))
    .limit(limit + 1)
  return selectTransactions(db, inArray(giftCards.id, page), limit + 1)
}

/** By the same words as submissions; a whole id may be that of a transaction or of its submission. */
async function findTransactions(db: Executor, { q, status }: TransactionFilter): Promise<Found> {
  if (!isUuid(q)) return find(db, { q, status })
  const where = and(
    isNull(giftCards.clearedAt),
    status && eq(giftCards.status, status),
    sql`${giftCards.id} in (
      select ${q}::uuid union all select gift_card_id from ${transactions} where ${transactions.id} = ${q}
    )`,
  )
  return { total: () => db.$count(giftCards, where), newest: () => where }
}
