import { z } from 'zod'
import { route } from './route.ts'
import { sellerSubmission } from './submissions.ts'
import { money } from './values.ts'

/** Maximum cards in each list of the seller's home. */
export const HOME_ROWS = { needsYou: 20, underWay: 20, rejected: 5, paid: 5 } as const

const cards = z.array(sellerSubmission)
const count = z.number().int().describe('How many there are, whether listed or not')

/** The seller's cards by what they mean to the seller. Each is in at most one list. */
export const sellerHome = z.object({
  needsYou: z
    .object({ count, cards })
    .describe(
      'A question, an offer (the first to end comes first), or a payout that came back or failed and needs another account',
    ),
  underWay: z
    .object({ count, amount: money.describe('The total that they will pay if nothing changes'), cards })
    .describe('In review or approved, and nothing for the seller to do. Newest first'),
  toReceive: z
    .object({
      approved: money.describe('Approved and not paid yet'),
      inReview: z
        .object({
          count,
          amount: money,
          lower: z
            .number()
            .int()
            .describe('How many of them the balance service found less on. `amount` leaves them out'),
        })
        .describe('Pending'),
      asked: z.object({ count, amount: money }).describe('Under review: a question waits for the answer'),
      offers: z.number().int().describe('How many open offers there are'),
    })
    .describe('What the open submissions pay if nothing changes'),
  rejected: z
    .object({ count, cards })
    .describe('Rejected within the time for an appeal, and not submitted again. Latest first'),
  paid: z
    .object({ count, amount: money.describe('The total that was sent'), cards })
    .describe('Latest first'),
  bouncedEmail: z
    .string()
    .nullable()
    .describe('The address, masked, from which our mail came back in the last 30 days'),
  taxDetailsNeeded: z.boolean().describe('The seller has to enter the details for a tax form'),
})
export type SellerHome = z.input<typeof sellerHome>
export type HomeAnswer = z.output<typeof sellerHome>

export const homeRoutes = {
  myHome: route({
    method: 'GET',
    path: '/api/user/home',
    summary: 'The cards that need the seller, are under way, or were paid',
    access: 'seller',
    limit: 'read',
    answers: { 200: sellerHome },
  }),
}
