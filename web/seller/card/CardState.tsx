import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars, parseDollars, toPlainDollars } from '#domain/money.ts'
import { suggestedOffer } from '#domain/quote.ts'
import { isFinal, isStatus, movesFrom, type SellerStatus, sellerStatusOf } from '#domain/submission.ts'
import { AmountCard } from '#web/cards/AmountCard.tsx'
import { cardName } from '#web/cards/text.ts'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { useSession } from '#web/wire/session.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import type { Translate } from '#words/translate.ts'
import { foundLess } from '../lower-balance.ts'
import { Arrival } from '../payout/Arrival.tsx'
import { failedPayoutOf } from '../payout/FailedAccount.tsx'
import { PaidTo } from '../payout/PaidTo.tsx'
import { PayoutStatusWithForm, UnpayableAccount } from '../payout/PayoutStatus.tsx'
import { refreshCards } from '../refresh-cards.ts'
import { amountOf, isSafe, isUnpaid } from '../SellerAmount.tsx'
import { isAppealOpen, needsSupport, statusText } from '../status-text.ts'
import { askPath } from './CardLink.tsx'
import { Deadline } from './Deadline.tsx'
import { WrittenByTeam } from './WrittenByTeam.tsx'

/** What happens with a card now, and what the seller can do. Its page says that it was paid. */
export function CardState({
  submission,
  onAnswer,
  inList = false,
  isAccountAskedAbove = false,
  account,
  children,
}: CardStateProps) {
  const news = useRef<HTMLParagraphElement>(null)
  // The price when the seller pressed the button, so that a new price cannot be accepted by mistake.
  const [asking, setAsking] = useState<Asking & { open: boolean }>()
  const t = useWords()
  const { user } = useSession()
  const { status, offer, payout } = submission
  const moves = movesOf(status)
  const isOver =
    (payout && (payout.state !== 'due' || payout.needsAccount)) ||
    (inList && !offer && status !== 'under_review') ||
    (status === 'approved' && user?.mustConfirmEmail)
  const buttons = (moves.length > 0 || children) && (
    <div
      className={cx(
        'mt-auto flex flex-wrap gap-2',
        !account && 'border-line border-t pt-4',
        !inList && 'max-sm:*:grow',
      )}
    >
      {moves.map(({ name, to }) => (
        <Button
          key={name}
          size="sm"
          variant={to === 'cancelled' ? 'secondary' : 'primary'}
          onClick={() => (name === 'answer' ? onAnswer() : setAsking({ name, submission, open: true }))}
        >
          {t(`processing.${name}`, { amount: inDollars(offer?.amount ?? '0') })}
        </Button>
      ))}
      {children}
    </div>
  )
  const nextStep = isAppealOpen(submission) ? 'processing.next.appealed' : nextSteps[sellerStatusOf(status)]
  const next = isOver ? undefined : nextStep
  const reason = <Reason submission={submission} />
  const notes = submission.notes && (
    <p className="wrap-anywhere whitespace-pre-line text-sm print:hidden">
      <span className="text-soft">{t('processing.notes')}</span> {submission.notes}
    </p>
  )
  return (
    <>
      {status === 'under_review' && reason}
      {status !== 'completed' && (
        <div className="grid gap-1">
          {(inList || status !== 'under_review') && (
            <p ref={news} tabIndex={-1} className="scroll-mt-24 text-pretty font-medium outline-none">
              {statusText(t, submission, user?.mustConfirmEmail)}
            </p>
          )}
          <PayoutStatusWithForm card={submission} full={!inList} />
          {inList && <Arrival card={submission} />}
          {next && <p className="text-pretty text-soft text-sm">{t(next)}</p>}
          {offer && <Deadline at={offer.expiresAt} />}
        </div>
      )}
      <UnpayableAccount cards={[submission]} isAskedAbove={isAccountAskedAbove} />
      {status !== 'under_review' && reason}
      {inList && notes}
      {account}
      {buttons}
      {!inList && notes}
      {asking && (
        <MoveDialog
          {...asking}
          onClose={() => setAsking({ ...asking, open: false })}
          focusAfter={() => {
            if (moves.length > 0) return null
            news.current?.scrollIntoView({ block: 'center' })
            return news.current
          }}
        />
      )}
    </>
  )
}

interface CardStateProps {
  submission: SellerSubmission
  onAnswer: () => void
  /** Says what happens next only where the seller has to act: a list says the rest once. */
  inList?: boolean
  /** Whether the form for the card's account, which cannot be paid, is at another card above it. */
  isAccountAskedAbove?: boolean
  /** Where the money goes, above the buttons. */
  account?: ReactNode
  /** More buttons. */
  children?: ReactNode
}

/** What happens next. Final statuses have no entry. */
const nextSteps: Readonly<Partial<Record<string, Key>>> = {
  pending: 'processing.next.pending',
  under_review: 'processing.next.under_review',
  offered: 'processing.next.offered',
  approved: 'processing.next.approved',
} satisfies Record<OpenStatus, Key>

type OpenStatus = Exclude<SellerStatus, 'completed' | 'rejected' | 'failed' | 'cancelled'>

/**
 * What the seller gets: the quote without what is deducted from the payout, or an offer beside the quote. It is a card
 * where it is the only one, and lines of text in a list.
 */
export function Price({ submission, size }: { submission: SellerSubmission; size: 'card' | 'lines' }) {
  const { status, sellingPrice, denomination, offer } = submission
  const t = useWords()
  const amount = amountOf(submission, sellingPrice)
  const isGray = foundLess(submission) || status === 'pending' || status === 'under_review'
  const title = t((!isSafe(submission) && amountTitles[status]) || 'processing.receive')
  const value = t('processing.value', { amount: inDollars(denomination) })
  const before = offer && (
    <>
      {t('processing.offer.quote')}{' '}
      <s>
        <Money amount={sellingPrice} />
      </s>
    </>
  )
  if (size === 'card' && !isUnpaid(submission)) {
    return (
      <AmountCard
        amount={amount}
        label={title}
        share={(100 * Number(amount)) / Number(denomination)}
        isOpen={isGray}
      >
        <p className="flex flex-wrap justify-between gap-x-4 text-soft text-sm">
          <span className="figures">{value}</span>
          {before && <span>{before}</span>}
        </p>
      </AmountCard>
    )
  }
  return (
    <dl className={cx(size === 'lines' && 'sm:text-right')}>
      <dt className="text-soft text-sm">{title}</dt>
      <dd>
        {isUnpaid(submission) ? (
          // As large as the amount, so that the line goes through its middle.
          <s className="text-2xl text-soft">
            <Money amount={amount} size="xl" />
          </s>
        ) : (
          <Money amount={amount} size="xl" />
        )}
      </dd>
      <dd className="figures text-soft text-sm">
        {value}
        {before && <span className="block">{before}</span>}
      </dd>
    </dl>
  )
}

const amountTitles: Readonly<Partial<Record<string, Key>>> = {
  offered: 'processing.offer.new',
  completed: 'processing.received',
  pending: 'processing.offer.quote',
  under_review: 'processing.offer.quote',
  rejected: 'seller.notPaid',
  failed: 'seller.notPaid',
  cancelled: 'seller.notPaid',
}

/** Our question, or why we offer another price or did not pay. The form for another account says that itself. */
function Reason({ submission }: { submission: SellerSubmission }) {
  const t = useWords()
  const { status, statusReason, offer, sellingPrice } = submission
  const balance = balanceText(t, submission)
  const title = reasonTitles[status]
  if (!statusReason || !title || submission.payout?.needsAccount) return null
  return (
    <Notice
      tone={isFinal(status) && !isSafe(submission) ? 'negative' : offer ? 'info' : 'caution'}
      title={t(title)}
      action={
        needsSupport(submission) && (
          <ButtonLink size="sm" to={askPath(submission.id)} className="max-sm:w-full">
            {t('payoutStatus.contact')}
          </ButtonLink>
        )
      }
    >
      <p className="wrap-anywhere whitespace-pre-line">{statusReason}</p>
      <WrittenByTeam card={submission} />
      {balance && <p className="figures">{balance}</p>}
      {offer && (
        <p className="text-soft">
          {t('processing.offer.quote')}{' '}
          <s>
            <Money amount={sellingPrice} />
          </s>
        </p>
      )}
    </Notice>
  )
}

/** The balance that was found, and how the offer follows from it if it does. */
function balanceText(t: Translate, { offer, ...card }: SellerSubmission): string | undefined {
  if (!offer?.balance) return undefined
  const suggested = suggestedOffer({ ...card, balanceCheck: { amount: offer.balance } })
  return t(
    suggested === parseDollars(offer.amount) ? 'processing.offer.balance' : 'processing.offer.balanceOnly',
    {
      balance: inDollars(offer.balance),
      rate: `${toPlainDollars(10_000 - (parseDollars(card.discountPercentage) ?? 0))}%`,
      amount: inDollars(offer.amount),
    },
  )
}

const reasonTitles: Readonly<Partial<Record<string, Key>>> = {
  under_review: 'processing.question',
  offered: 'processing.offer.reason',
  rejected: 'appeal.rejectedFor',
  failed: 'processing.failedFor',
}

/** The moves that the status table allows the seller, except the appeal and another account, which have forms. */
function movesOf(status: string) {
  const moves = isStatus(status) ? movesFrom(status, 'seller') : []
  return moves.flatMap(({ name, to }) =>
    name === 'appeal' || name === 'change_account' ? [] : [{ name: name as ShownMove, to }],
  )
}

type ShownMove = 'answer' | AskedMove
type AskedMove = 'withdraw' | 'accept' | 'decline'

interface Asking {
  name: AskedMove
  submission: SellerSubmission
}

/** Asks before a move that cannot be undone. Stays until the list shows the change, so that nothing is sent twice. */
function MoveDialog({ name, submission, open, onClose, focusAfter }: MoveDialogProps) {
  const t = useWords()
  const client = useQueryClient()
  const { offer } = submission
  const texts = { card: cardName(submission.brandName), amount: inDollars(offer?.amount ?? '0') }
  const params = { id: submission.id }
  const move = useMutation({
    mutationFn: () => {
      if (name === 'accept')
        return call(routes.acceptOffer, { params, body: { amount: offer?.amount ?? '' } })
      return call(name === 'decline' ? routes.declineOffer : routes.withdraw, { params })
    },
    onSuccess: async () => {
      await refreshCards(client)
      toast({ title: t(`processing.${name}.done`), description: t(`processing.${name}.doneText`, texts) })
      onClose()
    },
    onError: async (error) => {
      toast({
        title: t(`processing.${name}.failed`),
        description: messageOf(error, t(`processing.${name}.failedText`)),
        variant: 'destructive',
      })
      // The submission has changed.
      if (error instanceof ApiError && error.status === 409) onClose()
      await refreshCards(client)
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      finalFocus={focusAfter}
      title={t(`processing.${name}.title`, texts)}
      description={t(`processing.${name}.text`)}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t(`processing.${name}.cancel`)}
          </Button>
          <Button
            variant={name === 'accept' ? 'primary' : 'danger'}
            loading={move.isPending}
            onClick={() => move.mutate()}
          >
            {t(`processing.${name}`, texts)}
          </Button>
        </>
      }
    >
      {name === 'accept' && <OfferTerms submission={submission} />}
      {name === 'accept' && failedPayoutOf(submission) && (
        <p className="text-sm">{t('processing.accept.account')}</p>
      )}
    </Dialog>
  )
}

interface MoveDialogProps extends Asking {
  open: boolean
  onClose: () => void
  /** What says the new status, once the buttons are gone. */
  focusAfter: () => HTMLElement | null
}

function OfferTerms({ submission }: { submission: SellerSubmission }) {
  const t = useWords()
  const { sellingPrice, offer } = submission
  const balance = balanceText(t, submission)
  if (!offer) return null
  return (
    <Ledger className="border-line border-y">
      <LedgerRow name={t('processing.offer.quote')}>
        <s className="font-normal text-soft">
          <Money amount={sellingPrice} />
        </s>
      </LedgerRow>
      <LedgerRow name={t('processing.offer.new')}>
        <Money amount={offer.amount} size="lg" gold />
      </LedgerRow>
      <PaidTo card={submission} />
      {offer.reason && (
        <LedgerRow long name={t('processing.offer.reason')}>
          <span className="whitespace-pre-line font-normal">
            {[offer.reason, balance].filter(Boolean).join('\n')}
          </span>
        </LedgerRow>
      )}
    </Ledger>
  )
}
