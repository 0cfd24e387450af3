import { Ban } from 'lucide-react'
import { onOneLine } from '#web/kit/masked.tsx'
import { useWords } from '#web/words/words.ts'
import { accountText } from '../account-text.ts'
import type { FailedPayout } from './PayoutStatus.tsx'

/** Names the account that cannot be paid, so that the seller does not enter it again. */
export function FailedAccount({ payout }: { payout: FailedPayout }) {
  const t = useWords()
  const { state, paymentType, account, returnReason } = payout
  const values = { method: t(`payments.type.${paymentType}`), account: onOneLine(accountText(t, account)) }
  return (
    <p className="flex items-start gap-2">
      <Ban aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-negative" />
      {t(
        state === 'returned'
          ? 'payoutStatus.returned.account'
          : state === 'due' && returnReason === null
            ? 'payoutStatus.cannotPay.routingNumber'
            : 'payoutStatus.cannotPay',
        values,
      )}
    </p>
  )
}
