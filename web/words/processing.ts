import { facts } from './facts.ts'

/** What comes next for a card, by the seller's word for its status; final ones have nothing next. */
export const whatNext: Readonly<Record<string, string>> = {
  pending: `A review ${facts.review}. You get an email as soon as there is news.`,
  under_review: 'Your card waits for your answer. The review goes on right after it.',
  approved: 'There is nothing left for you to do. You get an email once the money is sent.',
}
