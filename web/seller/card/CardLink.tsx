import type { SellerSubmission } from '#contract/submissions.ts'
import { MASK } from '#domain/card-number.ts'
import { Masked } from '#web/kit/masked.tsx'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'

/** The brand of a card, as a link to everything about it, and its last four digits. */
export function CardLink({ card: { id, brandName, cardNumber } }: CardLinkProps) {
  return (
    <>
      <Link
        to={pathTo('accountCard', { id })}
        className="underline decoration-1 decoration-line underline-offset-4 hover:decoration-current"
      >
        {brandName}
      </Link>{' '}
      <CardDigits number={cardNumber} />
    </>
  )
}

/** The page of a card, with the support chat open about it. */
export const askPath = (id: string) => `${pathTo('accountCard', { id })}&chat=${id}`

interface CardLinkProps {
  card: Pick<SellerSubmission, 'id' | 'brandName' | 'cardNumber'>
}

/** Tells cards of one brand apart. Nothing for a card without a number. */
export function CardDigits({ number }: { number: string }) {
  if (!number.startsWith(MASK)) return null
  return (
    // In headings too, the digits are text.
    <span className="figures whitespace-nowrap font-(family-name:--font-sans) font-normal text-soft text-sm tracking-normal">
      <Masked text={number} />
    </span>
  )
}
