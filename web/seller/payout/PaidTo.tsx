import type { SellerSubmission } from '#contract/submissions.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { isFinal } from '#domain/submission.ts'
import { Masked } from '#web/kit/masked.tsx'
import { LedgerRow } from '#web/kit/Panel.tsx'
import { Time } from '#web/kit/Time.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { accountText } from '../account-text.ts'
import { useExpectedDay } from './expected-day.ts'
import { failedPayoutOf } from './FailedAccount.tsx'

/**
 * Where the money for an open card goes, and by when it should arrive if nothing holds it up.
 * @param count how many cards of its sale it stands for
 */
export function PaidTo({ card, count = 1 }: { card: SellerSubmission; count?: number }) {
  const t = useWords()
  const { status, payout, paymentType, account } = card
  const day = useExpectedDay(card)
  if (isFinal(status) || payout?.needsAccount) return null
  const date = { date: () => <Time at={day?.expectedOn ?? ''} as="weekday" /> }
  const method = t(`payments.type.${paymentType as PaymentType}`)
  return (
    <LedgerRow long name={t('payoutStatus.paidTo')}>
      <Masked text={`${method}, ${accountText(t, account)}`} />
      {failedPayoutOf(card) && (
        <span className="block text-pretty text-caution">{t('payoutStatus.cannotPay.short')}</span>
      )}
      {day && (
        <span className="block text-pretty font-normal text-soft">
          <Rich
            id={
              status === 'approved'
                ? 'payoutStatus.expectedBy'
                : day.isReviewedAgain
                  ? 'payoutStatus.expected.again'
                  : 'payoutStatus.expected'
            }
            values={{ count }}
            tags={date}
          />
        </span>
      )}
    </LedgerRow>
  )
}
