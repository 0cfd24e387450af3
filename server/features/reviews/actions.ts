import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { newReview } from '#contract/reviews.ts'
import type { Context } from '#server/context.ts'
import { type Seller, signedOut } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { keepAccount, onlyRow } from '#server/platform/database/queries.ts'
import { administrators, giftCards, reviews, transactions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** Stores a seller's review of a completed transaction, once, and updates the rating of who completed it. */
export async function addReview(
  { db }: Context,
  seller: Seller,
  { transactionId, rating, comment }: z.output<typeof newReview>,
) {
  try {
    return await transaction(db, async (tx) => {
      const revieweeId = await findReviewee(tx, seller, transactionId)
      if (!(await keepAccount(tx, seller.id))) throw signedOut()
      await lockAdministrator(tx, revieweeId)
      const review = { id: uuidv7(), reviewerId: seller.id, revieweeId, transactionId, rating }
      const inserted = await tx
        .insert(reviews)
        .values({ ...review, comment: comment ?? null })
        .returning()
      await updateRating(tx, revieweeId)
      return onlyRow(inserted)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'reviews_transaction_id_key')) throw error
    throw new Refusal('taken', 'refusals.reviewed_before')
  }
}

async function findReviewee(tx: Transaction, seller: Seller, transactionId: string): Promise<string> {
  const found = await lockOwnTransaction(tx, seller.id, transactionId)
  if (!found) throw notFound()
  if (found.status !== 'completed' || found.buyerId === null) {
    throw new Refusal('illegal_move', 'refusals.not_completed')
  }
  return found.buyerId
}

/** The seller's transaction. Its submission cannot be moved until the database transaction ends. */
async function lockOwnTransaction(tx: Transaction, sellerId: string, id: string) {
  const [found] = await tx
    .select({ status: giftCards.status, buyerId: transactions.buyerId })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(and(eq(transactions.id, id), eq(transactions.sellerId, sellerId)))
    .for('share')
  return found
}

/** Makes concurrent reviews of one administrator wait, so that each rating includes the ones before. */
async function lockAdministrator(tx: Transaction, id: string): Promise<void> {
  await tx
    .select({ id: administrators.id })
    .from(administrators)
    .where(eq(administrators.id, id))
    .for('update')
}

/** Sets an administrator's mean rating and number of reviews. */
async function updateRating(tx: Transaction, administratorId: string): Promise<void> {
  const about = sql`from ${reviews} where ${reviews.revieweeId} = ${administratorId}`
  await tx
    .update(administrators)
    .set({
      rating: sql`(select coalesce(round(avg(${reviews.rating}), 2), 0) ${about})`,
      reviewCount: sql`(select count(*) ${about})`,
    })
    .where(eq(administrators.id, administratorId))
}
