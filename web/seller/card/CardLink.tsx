import type { SellerSubmission } from '#contract/submissions.ts'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'

/** The brand of a card, as a link to everything about it. */
export function CardLink({ card: { id, brandName } }: { card: Pick<SellerSubmission, 'id' | 'brandName'> }) {
  return (
    <Link
      to={pathTo('accountCard', { id })}
      className="underline decoration-1 decoration-line underline-offset-4 hover:decoration-current"
    >
      {brandName}
    </Link>
  )
}
