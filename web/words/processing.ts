import type { SellerStatus } from '#domain/submission.ts'
import { facts } from './facts.ts'

/** What happens next, by the seller's status. Final statuses have no entry. */
export const whatNext: Readonly<Record<string, string>> = {
  pending: `The review ${facts.review}. We email you as soon as there is news.`,
  under_review: 'The review is paused until you answer, and continues right after.',
  approved: 'There is nothing left for you to do. We email you when the money is sent.',
} satisfies Record<OpenStatus, string>

type OpenStatus = Exclude<SellerStatus, 'completed' | 'rejected' | 'failed' | 'cancelled'>
