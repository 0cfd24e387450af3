import { z } from 'zod'
import { route } from './route.ts'
import { sellerSubmission } from './submissions.ts'
import { money } from './values.ts'

/** How many cards each list of the seller's home has at most. */
export const HOME_ROWS = { needsYou: 20, underWay: 20, rejected: 5, paid: 5 } as const

const cards = z.array(sellerSubmission)
const count = z.number().int().describe('How many there are, also beyond the list')

/** The seller's cards by what they mean to the seller. Each is in at most one list. */
export const sellerHome = z.object({
  needsYou: z
    .object({ count, cards })
    .describe('A question, an offer (those that end first come first), or a payout that came back'),
  underWay: z
    .object({ count, amount: money.describe('What all of them will pay if nothing changes'), cards })
    .describe('In review or approved, and nothing for the seller to do. Newest first'),
  rejected: z
    .object({ count, cards })
    .describe('Rejected within the time for an appeal, and not submitted again. Latest first'),
  paid: z.object({ count, amount: money.describe('What was sent in all'), cards }).describe('Latest first'),
  taxDetailsNeeded: z.boolean().describe('The seller has to enter the details for a tax form'),
})
export type SellerHome = z.input<typeof sellerHome>
export type HomeAnswer = z.output<typeof sellerHome>

export const homeRoutes = {
  myHome: route({
    method: 'GET',
    path: '/api/user/home',
    summary: 'What needs the seller, what is under way, and what was paid',
    access: 'seller',
    limit: 'read',
    answers: { 200: sellerHome },
  }),
}
