import { endedUnpaid } from '#domain/submission.ts'
import { Money } from '#web/kit/Money.tsx'

/** What the seller gets for a card, crossed out if it will not be paid. */
export function SellerAmount({ amount, status, className }: SellerAmountProps) {
  if (!endedUnpaid(status)) return <Money amount={amount} size="lg" {...(className && { className })} />
  return (
    <span className={className}>
      <s className="text-soft">
        <Money amount={amount} />
      </s>
      <span className="block text-soft text-sm">Not paid</span>
    </span>
  )
}

interface SellerAmountProps {
  amount: string
  status: string
  className?: string
}
