import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { newReview, Review } from '#contract/reviews.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/database/errors.ts'
import type { Transaction } from '#server/database/pool.ts'
import { transaction } from '#server/database/transaction.ts'
import type { Seller } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import * as queries from './queries.ts'

/**
 * Takes a seller's review of a completed transaction, once, and counts it into the rating of the administrator
 * who completed it.
 */
export async function addReview(
  { db }: Context,
  seller: Seller,
  { transactionId, rating, comment }: z.output<typeof newReview>,
): Promise<Review> {
  try {
    const row = await transaction(db, async (tx) => {
      const revieweeId = await findReviewee(tx, seller, transactionId)
      await queries.lockAdministrator(tx, revieweeId)
      const review = { id: uuidv7(), reviewerId: seller.id, revieweeId, transactionId, rating }
      const inserted = await queries.insertReview(tx, { ...review, comment: comment ?? null })
      await queries.recountReviews(tx, revieweeId)
      return inserted
    })
    return { ...row, createdAt: row.createdAt.toISOString() }
  } catch (error) {
    if (!isUniqueViolation(error, 'reviews_transaction_id_key')) throw error
    throw new Refusal('taken', 'You have reviewed this transaction already')
  }
}

async function findReviewee(tx: Transaction, seller: Seller, transactionId: string): Promise<string> {
  const found = await queries.lockOwnTransaction(tx, seller.id, transactionId)
  if (!found) throw notFound()
  if (found.status !== 'completed' || found.buyerId === null) {
    throw new Refusal('illegal_move', 'A transaction can be reviewed once it is completed')
  }
  return found.buyerId
}
