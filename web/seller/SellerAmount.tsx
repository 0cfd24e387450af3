import type { SellerSubmission } from '#contract/submissions.ts'
import { failureOf } from '#domain/failure.ts'
import { endedUnpaid } from '#domain/submission.ts'
import { Money } from '#web/kit/Money.tsx'
import { useWords } from '#web/words/words.ts'

/** What the seller gets for a card, crossed out if it will not be paid. */
export function SellerAmount({ amount, card, className }: SellerAmountProps) {
  const t = useWords()
  if (!isUnpaid(card)) return <Money amount={amount} size="lg" {...(className && { className })} />
  return (
    <span className={className}>
      <s className="text-soft">
        <Money amount={amount} />
      </s>
      <span className="block text-soft text-sm">{t('seller.notPaid')}</span>
    </span>
  )
}

/** What is offered, was or will be sent, or else the `price`. */
export function amountOf(
  { offer, payout }: Pick<SellerSubmission, 'offer' | 'payout'>,
  price: string,
): string {
  return offer?.amount ?? payout?.amount ?? price
}

/** Whether the money for a failed card is still the seller's. */
export const isSafe = (card: Pick<SellerSubmission, 'status' | 'reasonCode'>) => failureOf(card) === 'account'

/** Whether a card ended without a payment, and the seller will not get one. */
export const isUnpaid = (card: Pick<SellerSubmission, 'status' | 'reasonCode'>) =>
  endedUnpaid(card.status) && !isSafe(card)

interface SellerAmountProps {
  amount: string
  card: Pick<SellerSubmission, 'status' | 'reasonCode'>
  className?: string
}
