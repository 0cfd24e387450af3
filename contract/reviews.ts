import { z } from 'zod'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { id, instant, optionalText } from './values.ts'

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
  rating: z.number({ error: RATING }).int(RATING).min(1, RATING).max(5, RATING),
  comment: optionalText(2000),
})

export const reviewRoutes = {
  addReview: route({
    method: 'POST',
    path: '/api/reviews',
    summary: 'Review your own completed transaction, once',
    access: 'seller',
    limit: 'write',
    refuses: ['not_found', 'illegal_move', 'taken'],
    body: newReview,
    answers: { 201: review },
  }),
}
