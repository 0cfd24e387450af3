import { and, eq, sql } from 'drizzle-orm'
import type { Status } from '#domain/submission.ts'
import { onlyRow } from '#server/database/only-row.ts'
import type { Transaction } from '#server/database/pool.ts'
import { administrators, giftCards, reviews, transactions } from '#server/database/schema.ts'

type ReviewRow = typeof reviews.$inferSelect

/** The seller's own transaction; its submission can't be moved until this transaction ends. */
export async function lockOwnTransaction(
  tx: Transaction,
  sellerId: string,
  id: string,
): Promise<{ status: Status; buyerId: string | null } | undefined> {
  const [found] = await tx
    .select({ status: giftCards.status, buyerId: transactions.buyerId })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(and(eq(transactions.id, id), eq(transactions.sellerId, sellerId)))
    .for('share')
  return found
}

export async function insertReview(tx: Transaction, review: typeof reviews.$inferInsert): Promise<ReviewRow> {
  return onlyRow(await tx.insert(reviews).values(review).returning())
}

/** Two reviews at once are counted one after the other: the second one sees the first. */
export async function lockAdministrator(tx: Transaction, id: string): Promise<void> {
  await tx
    .select({ id: administrators.id })
    .from(administrators)
    .where(eq(administrators.id, id))
    .for('update')
}

/** The mean of all reviews and their number. */
export async function recountReviews(tx: Transaction, administratorId: string): Promise<void> {
  const about = sql`from ${reviews} where ${reviews.revieweeId} = ${administratorId}`
  await tx
    .update(administrators)
    .set({
      rating: sql`(select coalesce(round(avg(${reviews.rating}), 2), 0) ${about})`,
      reviewCount: sql`(select count(*) ${about})`,
    })
    .where(eq(administrators.id, administratorId))
}
