import { and, asc, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { clearableStatuses, type Status } from '#domain/submission.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { claims, giftCards, submissionCounts } from '#server/platform/database/schema.ts'

const clearable = and(isNull(giftCards.clearedAt), inArray(giftCards.status, [...clearableStatuses]))

/** The next submissions, by id, that could be cleared and were there at the time. */
export async function findClearable(
  db: Executor,
  { after, until, limit }: { after: string; until: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(clearable, gt(giftCards.id, after), lte(giftCards.createdAt, until)))
    .orderBy(asc(giftCards.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** By status, from the counts that the database keeps. */
export async function countClearable(db: Executor): Promise<[Status, number][]> {
  const { status, count } = submissionCounts
  const rows = await db
    .select({ status, count: sql<string>`sum(${count})` })
    .from(submissionCounts)
    .where(inArray(status, [...clearableStatuses]))
    .groupBy(status)
    .having(sql`sum(${count}) > 0`)
  return rows.map((row) => [row.status, Number(row.count)])
}

/** Locks those that still can be cleared, in the order of their ids: two who clear at once don't deadlock. */
export async function lockClearable(tx: Transaction, ids: readonly string[]) {
  return await tx
    .select({ id: giftCards.id, sellerId: giftCards.sellerId, status: giftCards.status })
    .from(giftCards)
    .where(and(clearable, inArray(giftCards.id, [...ids])))
    .orderBy(asc(giftCards.id))
    .for('update')
}

/**
 * Takes locked submissions out of every list and erases what is secret of them: without its key nothing that was
 * sealed opens again, in a backup of the photos neither.
 */
export async function eraseCards(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .update(giftCards)
    .set({
      clearedAt: sql`now()`,
      dataKey: null,
      cardNumber: null,
      cardNumberIndex: null,
      cardNumberLastFour: null,
      securityCode: null,
      expirationDate: null,
      paymentAccountInfo: null,
      paymentAccountIndex: null,
      paymentAccountHint: '',
      paymentRoutingNumber: null,
      paymentRoutingHint: null,
      paymentAccountNumber: null,
      paymentAccountNumberHint: null,
    })
    .where(inArray(giftCards.id, [...ids]))
  await tx.delete(claims).where(inArray(claims.giftCardId, [...ids]))
}
