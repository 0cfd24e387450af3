import { z } from 'zod'
import { MAX_RATING, MAX_REVIEW_LENGTH, reviewStates } from '#domain/review.ts'
import type { FieldCode } from '#words/keys.ts'
import { locales } from '#words/locales.ts'
import { route } from './route.ts'
import { id, instant, optionalText, page, withId } from './values.ts'

/** A seller's review of a completed transaction. `revieweeId` is the administrator who completed it. */
export const review = z.object({
  id,
  reviewerId: id,
  revieweeId: id,
  transactionId: id,
  rating: z.number().int(),
  comment: z.string().nullable(),
  createdAt: instant,
})
export type Review = z.input<typeof review>

const RATING = 'rating_out_of_range' satisfies FieldCode

export const newReview = z.object({
  transactionId: z.uuid('transaction_required' satisfies FieldCode),
  rating: z.number({ error: RATING }).int(RATING).min(1, RATING).max(MAX_RATING, RATING),
  comment: optionalText(MAX_REVIEW_LENGTH),
})

const shownFields = {
  id,
  rating: z.number().int(),
  comment: z.string(),
  firstName: z.string(),
  locale: z.enum(locales).describe('The language of the seller when the review was written'),
}

/** An approved review, as visitors read it. */
export const shownReview = z.object({ ...shownFields, month: z.string().describe('Such as `2026-11`') })
export type ShownReview = z.input<typeof shownReview>

/** A review with a text, as staff see it. */
export const staffReview = z.object({
  ...shownFields,
  state: z.enum(reviewStates),
  giftCardId: id,
  brandName: z.string(),
  sellerId: id,
  username: z.string(),
  createdAt: instant,
})
export type StaffReview = z.input<typeof staffReview>

const unknown = { error: 'review_state_unknown' satisfies FieldCode }
export const reviewDecision = z.object({ state: z.enum(reviewStates).exclude(['waiting'], unknown) })
export type ReviewDecision = z.output<typeof reviewDecision>

export const reviewRoutes = {
  addReview: route({
    method: 'POST',
    path: '/api/reviews',
    summary: 'Review your own completed transaction, once for each sale',
    access: 'seller',
    limit: 'write',
    refuses: ['not_found', 'illegal_move', 'taken'],
    body: newReview,
    answers: { 201: review },
  }),
  shownReviews: route({
    method: 'GET',
    path: '/api/reviews',
    summary: 'The newest approved reviews of three sellers. Empty while there are fewer',
    access: 'anyone',
    limit: 'read',
    answers: { 200: z.array(shownReview) },
  }),
  staffReviews: route({
    method: 'GET',
    path: '/api/admin/reviews',
    summary: 'Reviews with a text, newest first',
    access: 'moderate_reviews',
    limit: 'read',
    query: page.extend({ state: z.enum(reviewStates, unknown).optional() }),
    answers: { 200: z.array(staffReview) },
  }),
  decideReview: route({
    method: 'PATCH',
    path: '/api/admin/reviews/:id',
    summary: 'Approve a review for the landing page, or hide it for good',
    access: 'moderate_reviews',
    limit: 'write',
    params: withId,
    refuses: ['illegal_move'],
    body: reviewDecision,
    answers: { 200: staffReview },
  }),
}
