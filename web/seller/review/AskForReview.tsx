import { Suspense } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'

// Few cards have a question about them.
const ReviewForm = lazyComponent(() => import('./ReviewForm.tsx').then((module) => module.ReviewForm), {
  silent: true,
})

/** Asks how the first of these cards that the server wants reviewed was sold. */
export function AskForReview({ cards }: { cards: readonly Reviewable[] }) {
  const card = cards.find(({ toReview }) => toReview !== null)
  return (
    card && (
      <Suspense>
        <ReviewForm key={card.toReview} card={card} />
      </Suspense>
    )
  )
}

type Reviewable = Pick<SellerSubmission, 'brandName' | 'toReview'>
