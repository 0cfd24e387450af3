import { Ban } from 'lucide-react'
import type { SellerPayout, SellerSubmission } from '#contract/submissions.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { isFinal } from '#domain/submission.ts'
import { Masked } from '#web/kit/masked.tsx'
import { useWords } from '#web/words/words.ts'
import { paymentMethodIn } from '#words/payment-method.ts'
import { accountText } from '../account-text.ts'
import { amountOf } from '../SellerAmount.tsx'

/** What the form has to know about the account that cannot be paid. */
export type FailedPayout = Pick<
  SellerPayout,
  'state' | 'amount' | 'paymentType' | 'account' | 'returnReason' | 'mayCorrectName'
>

/** What cannot be paid until the seller enters another account, also before the approval. */
export function failedPayoutOf(card: SellerSubmission): FailedPayout | undefined {
  const { payout, routingNumberSuspect, accountRefusal, status, account, paymentType } = card
  if (payout) return payout.needsAccount ? payout : undefined
  if (!(routingNumberSuspect || accountRefusal) || isFinal(status)) return undefined
  return {
    state: 'due',
    amount: amountOf(card, card.sellingPrice),
    paymentType: paymentType as PaymentType,
    account,
    returnReason: accountRefusal,
    mayCorrectName: false,
  }
}

/**
 * Names the account that cannot be paid, so that the seller does not enter it again, and says why.
 * @param reasons why it failed, for each of several cards
 */
export function FailedAccount({ payout, reasons = [payout.returnReason] }: FailedAccountProps) {
  const t = useWords()
  const { state, paymentType, account, returnReason } = payout
  const values = { method: paymentMethodIn(t, paymentType), account: accountText(t, account) }
  return (
    <div className="flex items-start gap-2">
      <Ban aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-negative" />
      <div className="grid gap-1">
        <p>
          <Masked
            text={t(
              state === 'returned'
                ? 'payoutStatus.returned.account'
                : state === 'due' && returnReason === null
                  ? 'payoutStatus.cannotPay.routingNumber'
                  : 'payoutStatus.cannotPay',
              values,
            )}
          />
        </p>
        {[...new Set(reasons)].map(
          // In quotation marks, because what a bank or a payer wrote is not translated.
          (reason) => reason && <p key={reason}>{t('payoutStatus.returned.reason', { reason })}</p>,
        )}
      </div>
    </div>
  )
}

interface FailedAccountProps {
  payout: FailedPayout
  reasons?: readonly (string | null)[]
}
