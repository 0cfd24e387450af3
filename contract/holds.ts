import { z } from 'zod'
import { route } from './route.ts'
import { about, id, instant, isAboutOne, page, text } from './values.ts'

export const MAX_HOLD_REASON_LENGTH = 1000

/** Keeps a submission, or all submissions of a seller, from being erased by age and by clear-all, and from being paid. */
export const hold = z.object({
  id,
  submissionId: id.nullable(),
  userId: id.nullable(),
  username: z.string().describe('The seller’s'),
  reason: z.string().describe('For staff only'),
  placedBy: z.string(),
  placedAt: instant,
  liftedBy: z.string().nullable(),
  liftedAt: instant.nullable(),
})
export type Hold = z.input<typeof hold>
export type HoldAnswer = z.output<typeof hold>

const holdList = page.extend({ ...about, on: z.enum(['seller', 'submission']).optional() })
export type HoldList = z.output<typeof holdList>

export const newHold = z
  .object({ ...about, reason: text({ max: MAX_HOLD_REASON_LENGTH, required: 'reason_required' }) })
  .refine(...isAboutOne)

export const holdRoutes = {
  holds: route({
    method: 'GET',
    path: '/api/admin/holds',
    summary:
      'Open holds, newest first. Can be filtered by kind, by seller, or by submission, which also lists the holds on its seller',
    access: 'see_details',
    limit: 'read',
    query: holdList,
    answers: { 200: z.array(hold) },
  }),
  placeHold: route({
    method: 'POST',
    path: '/api/admin/holds',
    summary:
      'Keep a submission, or all of a seller, from being erased and from being paid until the hold is lifted. Payers may hold a submission that has a payout',
    access: 'place_holds',
    limit: 'write',
    refuses: ['not_found', 'on_hold_already'],
    body: newHold,
    answers: { 201: hold },
  }),
  liftHold: route({
    method: 'DELETE',
    path: '/api/admin/holds',
    summary: 'Lift the hold of a submission or a seller',
    access: 'lift_holds',
    limit: 'write',
    refuses: ['not_found'],
    body: z.object(about).refine(...isAboutOne),
    answers: { 200: hold },
  }),
}
