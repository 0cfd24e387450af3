import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Suspense, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerPayout, SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { arrivalOf, CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { cardName } from '#web/cards/text.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Dotted } from '#web/kit/Dotted.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Masked } from '#web/kit/masked.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { paymentMethodIn } from '#words/payment-method.ts'
import { accountName } from '../account-text.ts'
import { FailedAccount, type FailedPayout, failedPayoutOf } from './FailedAccount.tsx'

// Loaded with the dialog, because few payouts come back.
const ChangeAccountForm = lazyComponent(() =>
  import('./ChangeAccountForm.tsx').then((module) => module.ChangeAccountForm),
)

export function ChangeAccountDialog({
  card,
  payout,
  amount = payout.amount,
  reasons = [payout.returnReason],
  inReview = false,
  ...dialog
}: ChangeAccountDialogProps) {
  const t = useWords()
  const { data: same } = useQuery({
    ...read(routes.sameAccount, { params: { id: card.id } }),
    enabled: dialog.open,
    staleTime: 0,
  })
  const [forAll, setForAll] = useState(true)
  // With other cards to the same account, some of which are approved.
  const isDue = !inReview || (forAll && same?.undecided !== undefined)
  const count = !forAll ? 1 : same ? same.count + (same.undecided ?? 0) : reasons.length
  const sent = count > 1 ? (same?.amount ?? amount) : payout.amount
  // Before the approval, the title promises no money.
  const title = t(
    count > 1
      ? isDue
        ? 'payoutStatus.form.title'
        : 'payoutStatus.form.undecided'
      : isDue
        ? 'payoutStatus.form.titleOfCard'
        : 'payoutStatus.form.undecidedCard',
    { count, amount: inDollars(sent), card: cardName(card.brandName) },
  )
  return (
    <Dialog {...dialog} title={title}>
      <Suspense fallback={<SkeletonRows rows={3} label={t('payoutStatus.form.loading')} />}>
        <ChangeAccountForm
          {...{ payout, reasons, isDue, same, forAll }}
          id={card.id}
          onForAll={setForAll}
          onClose={() => dialog.onOpenChange(false)}
        />
      </Suspense>
    </Dialog>
  )
}

interface ChangeAccountDialogProps {
  card: Pick<SellerSubmission, 'id' | 'brandName'>
  payout: FailedPayout
  /** Of several cards. */
  amount?: string
  /** Why the account failed, for several cards. */
  reasons?: readonly (string | null)[]
  /** Before the approval: nothing is due yet. */
  inReview?: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The same as `PayoutStatus`, and asks for another account if the payout came back or failed. */
export function PayoutStatusWithForm({ card, brief = false, full = false }: PayoutStatusWithFormProps) {
  const { payout } = card
  const [open, setOpen] = useState(false)
  if (!payout) return null
  return (
    <>
      <PayoutStatus {...{ payout, brief, full }} onAccount={() => setOpen(true)} />
      <ChangeAccountDialog {...{ card, payout, open }} onOpenChange={setOpen} />
    </>
  )
}

interface PayoutStatusWithFormProps {
  card: Pick<SellerSubmission, 'id' | 'brandName' | 'payout'>
  brief?: boolean
  full?: boolean
}

/** Asks before the approval for another account if a card cannot be paid to its own. `PayoutStatus` does after it. */
export function UnpayableAccount({ cards, primary = false, isAskedAbove = false }: UnpayableAccountProps) {
  const t = useWords()
  const [open, setOpen] = useState(false)
  const card = cards.find((each) => !each.payout && failedPayoutOf(each))
  const payout = card && failedPayoutOf(card)
  if (!payout) return null
  const why = payout.returnReason === null ? 'payoutStatus.routingNumber.now' : 'payoutStatus.refused.now'
  return (
    <div className="grid gap-2 sm:justify-items-start">
      <p className="flex items-start gap-2 text-pretty font-medium text-caution text-sm">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {t(isAskedAbove ? 'payoutStatus.neededToo' : why)}
      </p>
      {!isAskedAbove && (
        <Button size="sm" variant={primary ? 'primary' : 'secondary'} onClick={() => setOpen(true)}>
          {t('payoutStatus.account')}
        </Button>
      )}
      <ChangeAccountDialog {...{ card, payout, open }} inReview onOpenChange={setOpen} />
    </div>
  )
}

interface UnpayableAccountProps {
  cards: readonly SellerSubmission[]
  primary?: boolean
  /** Whether the form for its account is at another card above it. */
  isAskedAbove?: boolean
}

/** Where the money for an approved card is, and what was deducted from it. */
export function PayoutStatus({ payout, onAccount, brief = false, full = false }: PayoutStatusProps) {
  const t = useWords()
  if (!payout) return null
  // The screens with the form say so above.
  const isSaid = onAccount && payout.state === 'due' && !payout.waitsUntil
  return (
    <div className="wrap-anywhere grid gap-1 text-sm empty:hidden">
      {payout.needsAccount && onAccount ? (
        <Returned payout={payout} onAccount={onAccount} brief={brief} />
      ) : (
        !isSaid && (
          <p>
            <PayoutFacts payout={payout} full={full} />
          </p>
        )
      )}
      {payout.together && (
        <p className="text-soft">
          {t('payoutStatus.together', {
            count: payout.together.others,
            amount: inDollars(payout.together.amount),
          })}
        </p>
      )}
      {Number(payout.deducted) > 0 && (
        <p className="text-soft">
          {t('payoutStatus.deducted', { sent: inDollars(payout.amount), amount: inDollars(payout.deducted) })}
        </p>
      )}
    </div>
  )
}

interface PayoutStatusProps {
  payout: SellerPayout | null
  /** Called when the seller wants to enter another account. */
  onAccount?: () => void
  /** For a table: shows no notice. */
  brief?: boolean
  /** Says also where money that waits will go, and why it waits. Lists say so once. */
  full?: boolean
}

interface ReturnedProps {
  payout: SellerPayout
  onAccount: () => void
  brief: boolean
}

function Returned({ payout, onAccount, brief }: ReturnedProps) {
  const t = useWords()
  const change = (
    <Button
      size="sm"
      variant={brief ? 'secondary' : 'primary'}
      onClick={onAccount}
      className={cx(!brief && 'max-sm:w-full')}
    >
      {t('payoutStatus.account')}
    </Button>
  )
  if (brief) {
    return (
      <>
        <FailedAccount payout={payout} />
        <div className="pt-1">{change}</div>
      </>
    )
  }
  return (
    <div className="pt-4">
      <Notice
        tone="caution"
        title={`${t('payoutStatus.safe', { amount: inDollars(payout.amount) })} ${t('payoutStatus.returned')}`}
        action={change}
      >
        <FailedAccount payout={payout} />
      </Notice>
    </div>
  )
}

/** How and when the money is or was sent. */
export function PayoutFacts({ payout, full = false }: { payout: SellerPayout; full?: boolean }) {
  const t = useWords()
  const { user } = useSession()
  const { state, paymentType, sentAt, paidAt, expectedOn, waitsUntil, account } = payout
  const method = paymentMethodIn(t, paymentType)
  const referenceName = payout.isConfirmed ? 'payoutStatus.confirmation' : 'payoutStatus.reference'
  const reference = t(referenceName, { method, reference: payout.reference })
  const on = (at: string, as: 'day' | 'weekday' | 'moment' = 'day') => ({
    date: () => <Time at={at} as={as} />,
  })
  if (state === 'paid' && paidAt) {
    return (
      <Dotted>
        <Rich id="payoutStatus.paid" values={{ method }} tags={on(paidAt)} />
        {reference}
      </Dotted>
    )
  }
  if (payout.isUnclaimed)
    return <Masked text={t('payoutStatus.unclaimed', { method, account: accountName(account) })} />
  if (state === 'sent' && sentAt) {
    return (
      <Dotted>
        <Rich id="payoutStatus.sent" values={{ method }} tags={on(sentAt)} />
        {reference}
        {expectedOn ? (
          <Rich id="payoutStatus.arrives.by" tags={on(expectedOn, 'weekday')} />
        ) : (
          arrivalOf(paymentType) === 'same_day' && t('payoutStatus.arrives.sameDay')
        )}
      </Dotted>
    )
  }
  if (state === 'due' && waitsUntil) {
    const tags = { ...on(waitsUntil, 'moment'), account: () => <Masked text={accountName(account)} /> }
    return (
      <Rich
        id={full ? 'payoutStatus.waits' : 'payoutStatus.waits.short'}
        values={{ method, hours: CHANGED_ACCOUNT_HOURS }}
        tags={tags}
      />
    )
  }
  if (state === 'returned' || state === 'failed') return payout.returnReason
  return t(user?.mustConfirmEmail ? 'payoutStatus.unconfirmed' : 'payoutStatus.due')
}
