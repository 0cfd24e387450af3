import { Clock } from 'lucide-react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { useWords } from '#web/words/words.ts'
import { useIsLate } from './expected-day.ts'

/** Says in a list that the payout of an approved card takes longer than expected. The page of the card says how to ask. */
export function Late({ card }: { card: SellerSubmission }) {
  return mayBeLate(card) && <LateText card={card} />
}

/** A payout is never late within a day. Asking about an older one costs a request. */
const mayBeLate = ({ status, updatedAt }: SellerSubmission) =>
  status === 'approved' && Date.now() - Date.parse(updatedAt) > 86_400_000

function LateText({ card }: { card: SellerSubmission }) {
  const t = useWords()
  if (!useIsLate(card)) return null
  return (
    <p className="flex items-start gap-2 text-pretty font-medium text-caution text-sm">
      <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {t('payoutStatus.late', { amount: inDollars(card.payout?.amount ?? '0') })}
    </p>
  )
}
