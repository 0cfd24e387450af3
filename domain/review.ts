/** Whether visitors may read a review. A hidden one stays hidden. */
export const reviewStates = ['waiting', 'approved', 'hidden'] as const
export type ReviewState = (typeof reviewStates)[number]

export const MAX_RATING = 5

/** Characters of a review's text, after trimming. */
export const MAX_REVIEW_LENGTH = 500

/** How many reviews the landing page shows. With fewer it shows none. */
export const SHOWN_REVIEWS = 3

/** How long after the payout sellers are asked for a review. They can write one at any time. */
export const ASK_FOR_REVIEW_DAYS = 30
