import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { isFinal } from '#domain/submission.ts'
import { Dotted } from '#web/kit/Dotted.tsx'
import { onOneLine } from '#web/kit/masked.ts'
import { LedgerRow } from '#web/kit/Panel.tsx'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { accountText } from '../account-text.ts'
import { foundLess } from '../lower-balance.ts'

/** Where the money for an open card goes, and by when it should arrive if nothing holds it up. */
export function PaidTo({ card }: { card: SellerSubmission }) {
  const t = useWords()
  const { user } = useSession()
  const { id, status, payout, paymentType, account } = card
  const isDue = payout?.state === 'due' && !payout.waitsUntil
  const isUnsure = foundLess(card) || card.routingNumberSuspect
  const isAwaited = (status === 'pending' && !isUnsure) || (status === 'approved' && isDue)
  const { data: days } = useQuery({
    ...read(routes.expectedPayoutDays, { query: { giftCardId: id } }),
    enabled: isAwaited && !user?.mustConfirmEmail,
  })
  const day = isAwaited ? days?.[0]?.expectedOn : undefined
  if (isFinal(status) || payout?.needsAccount) return null
  const date = { date: () => <Time at={day ?? ''} as="weekday" /> }
  const method = t(`payments.type.${paymentType as PaymentType}`)
  return (
    <LedgerRow long name={t('payoutStatus.paidTo')}>
      <Dotted>
        {`${method}, ${onOneLine(accountText(t, account))}`}
        {day && status === 'approved' && <Rich id="payoutStatus.expectedBy" tags={date} />}
      </Dotted>
      {day && status === 'pending' && (
        <span className="block text-pretty font-normal text-soft">
          <Rich id="payoutStatus.expected" tags={date} />
        </span>
      )}
    </LedgerRow>
  )
}
