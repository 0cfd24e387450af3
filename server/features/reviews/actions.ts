import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { newReview, ReviewDecision } from '#contract/reviews.ts'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { SHOWN_REVIEWS } from '#domain/review.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { type Seller, type Staff, signedOut } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { keepAccount, onlyRow } from '#server/platform/database/queries.ts'
import {
  administrators,
  giftCards,
  reviews,
  sales,
  transactions,
  users,
} from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { findShownReviews, findStaffReview } from './queries.ts'

/** Stores a seller's review of a completed transaction, once for each sale, and updates the rating of who completed it. */
export async function addReview(
  { db }: Context,
  seller: Seller,
  { transactionId, rating, comment }: z.output<typeof newReview>,
) {
  if (comment && looksLikeCardNumber(comment)) {
    throw invalid([{ path: 'comment', code: 'review_card_number' }])
  }
  try {
    return await transaction(db, async (tx) => {
      const revieweeId = await findReviewee(tx, seller, transactionId)
      if (!(await keepAccount(tx, seller.id))) throw signedOut()
      await lockAdministrator(tx, revieweeId)
      const review = { id: uuidv7(), reviewerId: seller.id, revieweeId, transactionId, rating }
      const inserted = await tx
        .insert(reviews)
        .values({ ...review, comment: comment ?? null, ...(await readSignature(tx, seller.id)) })
        .returning()
      await updateRating(tx, revieweeId)
      return onlyRow(inserted)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'reviews_transaction_id_key')) throw error
    throw reviewedBefore()
  }
}

async function findReviewee(tx: Transaction, seller: Seller, transactionId: string): Promise<string> {
  const found = await lockOwnTransaction(tx, seller.id, transactionId)
  if (!found) throw notFound()
  if (found.status !== 'completed' || found.buyerId === null) {
    throw new Refusal('illegal_move', 'refusals.not_completed')
  }
  if (found.saleId !== null && (await isSaleReviewed(tx, found.saleId))) throw reviewedBefore()
  return found.buyerId
}

/** The seller's transaction. Its submission cannot be moved until the database transaction ends. */
async function lockOwnTransaction(tx: Transaction, sellerId: string, id: string) {
  const [found] = await tx
    .select({ status: giftCards.status, saleId: giftCards.saleId, buyerId: transactions.buyerId })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(and(eq(transactions.id, id), eq(transactions.sellerId, sellerId)))
    .for('share')
  return found
}

const reviewedBefore = () => new Refusal('taken', 'refusals.reviewed_before')

/** Whether a card of the sale has a review. Other reviews of the sale wait for the transaction. */
async function isSaleReviewed(tx: Transaction, saleId: string): Promise<boolean> {
  await tx.select({ id: sales.id }).from(sales).where(eq(sales.id, saleId)).for('update')
  const found = await tx
    .select({ id: reviews.id })
    .from(reviews)
    .innerJoin(transactions, eq(transactions.id, reviews.transactionId))
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(eq(giftCards.saleId, saleId))
    .limit(1)
  return found.length > 0
}

/** What the review is signed with. Stays when the seller changes their name, because staff decide on it too. */
async function readSignature(tx: Transaction, sellerId: string) {
  const firstName = sql<string>`split_part(${users.firstName}, ' ', 1)`
  const found = await tx.select({ firstName, locale: users.locale }).from(users).where(eq(users.id, sellerId))
  return onlyRow(found)
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

/** The newest approved reviews of different sellers. Empty while there are too few. */
export async function listShownReviews({ db }: Context) {
  const shown = await findShownReviews(db)
  return shown.length < SHOWN_REVIEWS ? [] : shown
}

/** Approves or hides a review. Throws if it was hidden before. */
export async function decideReview({ db }: Context, staff: Staff, id: string, { state }: ReviewDecision) {
  return await transaction(db, async (tx) => {
    const [locked] = await tx.select().from(reviews).where(eq(reviews.id, id)).for('update')
    if (!locked || locked.comment === null) throw notFound()
    if (locked.state !== state) {
      if (locked.state === 'hidden') throw new Refusal('illegal_move', 'refusals.review_hidden')
      await tx.update(reviews).set({ state }).where(eq(reviews.id, id))
      await record(tx, { actor: staff, action: `review.${state}`, subject: { kind: 'review', id } })
    }
    return onlyRow(await findStaffReview(tx, id))
  })
}
