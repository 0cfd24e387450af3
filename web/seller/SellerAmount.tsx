import { endedUnpaid } from '#domain/submission.ts'
import { Money } from '#web/kit/Money.tsx'
import { useWords } from '#web/words/words.ts'

/** What the seller gets for a card, crossed out if it will not be paid. */
export function SellerAmount({ amount, status, className }: SellerAmountProps) {
  const t = useWords()
  if (!endedUnpaid(status)) return <Money amount={amount} size="lg" {...(className && { className })} />
  return (
    <span className={className}>
      <s className="text-soft">
        <Money amount={amount} />
      </s>
      <span className="block text-soft text-sm">{t('seller.notPaid')}</span>
    </span>
  )
}

interface SellerAmountProps {
  amount: string
  status: string
  className?: string
}
