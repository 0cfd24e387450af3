import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { isStatus, movesFrom, type SellerStatus, sellerStatusOf } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { cardName } from '#web/cards/text.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { useNow } from '#web/wire/use-now.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { until } from '#words/ago.ts'
import type { Key } from '#words/keys.ts'
import { PayoutStatusWithForm } from '../payout/PayoutStatus.tsx'
import { statusText } from '../status-text.ts'
import { Timeline } from './Timeline.tsx'

/** A submission in progress: what it pays, its status, and what the seller can do. */
export function OpenSubmission({ submission, onAnswer }: OpenSubmissionProps) {
  // As it was when the seller pressed the button, so that no other price slips in under their finger.
  const [asking, setAsking] = useState<Asking & { open: boolean }>()
  const [history, setHistory] = useState(false)
  const t = useWords()
  const { status, offer, statusReason, payout } = submission
  const next = payout && payout.state !== 'due' ? undefined : nextSteps[sellerStatusOf(status)]
  return (
    <Panel
      aria-label={cardName(submission.brandName)}
      className="grid h-full grid-cols-1 content-start gap-5"
    >
      <Head submission={submission} />
      <Price submission={submission} />
      <div className="grid gap-1">
        <p className="text-pretty font-medium">{statusText(t, submission)}</p>
        <PayoutStatusWithForm {...submission} />
        {next && <p className="text-soft text-sm">{t(next)}</p>}
        {offer && <Deadline at={offer.expiresAt} />}
      </div>
      {statusReason && (status === 'under_review' || offer) && (
        <Notice tone="caution" title={t(offer ? 'processing.offer.reason' : 'processing.question')}>
          <p className="wrap-anywhere whitespace-pre-line">{statusReason}</p>
        </Notice>
      )}
      {submission.notes && (
        <p className="wrap-anywhere whitespace-pre-line text-sm">
          <span className="text-soft">{t('processing.notes')}</span> {submission.notes}
        </p>
      )}
      <div className="flex flex-wrap gap-2 border-line border-t pt-4">
        <Moves
          submission={submission}
          onMove={(name) => (name === 'answer' ? onAnswer() : setAsking({ name, submission, open: true }))}
        />
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={history}
          onClick={() => setHistory(!history)}
          className="first:-ml-3"
        >
          {t('processing.history')}
        </Button>
      </div>
      {history && <Timeline submission={submission} />}
      {asking && <MoveDialog {...asking} onClose={() => setAsking({ ...asking, open: false })} />}
    </Panel>
  )
}

/** What happens next. Final statuses have no entry. */
const nextSteps: Readonly<Partial<Record<string, Key>>> = {
  pending: 'processing.next.pending',
  under_review: 'processing.next.under_review',
  offered: 'processing.next.offered',
  approved: 'processing.next.approved',
} satisfies Record<OpenStatus, Key>

type OpenStatus = Exclude<SellerStatus, 'completed' | 'rejected' | 'failed' | 'cancelled'>

interface OpenSubmissionProps {
  submission: SellerSubmission
  onAnswer: () => void
}

function Head({ submission }: { submission: SellerSubmission }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <BrandTile name={submission.brandName} />
      <div className="min-w-32 flex-1">
        <h2 className="text-lg">{submission.brandName}</h2>
        <p className="text-soft text-sm">
          <Rich id="processing.submitted" tags={{ date: () => <Time at={submission.createdAt} /> }} />
        </p>
      </div>
      <StatusBadge status={submission.status} />
    </div>
  )
}

/** What the seller gets: the quote without what is deducted from the payout, or an offer beside the quote. */
function Price({ submission }: { submission: SellerSubmission }) {
  const { sellingPrice, denomination, offer, payout } = submission
  const t = useWords()
  return (
    <div className="grid gap-1">
      <dl className="flex flex-wrap items-end gap-x-8 gap-y-1">
        <div className="grid gap-1">
          <dt className="text-soft">{t(offer ? 'processing.offer.new' : 'processing.receive')}</dt>
          <dd>
            <Money
              amount={offer?.amount ?? payout?.amount ?? sellingPrice}
              size="figure"
              className="text-accent"
            />
          </dd>
        </div>
        {offer && (
          <div className="grid gap-1 pb-1">
            <dt className="text-soft">{t('processing.offer.quote')}</dt>
            <dd>
              <s className="text-soft">
                <Money amount={sellingPrice} size="lg" />
              </s>
            </dd>
          </div>
        )}
      </dl>
      <p className="figures text-soft">{t('processing.value', { amount: inDollars(denomination) })}</p>
    </div>
  )
}

function Deadline({ at }: { at: string }) {
  const t = useWords()
  const left = Date.parse(at) - useNow(30_000)
  return (
    <p className="flex items-center gap-2 font-medium text-sm">
      <Clock aria-hidden="true" className="size-4 shrink-0" />
      <span>
        {left > 0 ? (
          <Rich
            id="processing.offer.ends"
            values={{ when: until(t, left) }}
            tags={{ date: () => <Time at={at} as="dateTime" /> }}
          />
        ) : (
          t('processing.offer.ended')
        )}
      </span>
    </p>
  )
}

/** One button for each move that the status table allows the seller. */
function Moves({ submission: { status, offer }, onMove }: MovesProps) {
  const t = useWords()
  const moves = isStatus(status) ? movesFrom(status, 'seller') : []
  return moves.map(({ name, to }) => (
    <Button
      key={name}
      size="sm"
      variant={to === 'cancelled' ? 'secondary' : 'primary'}
      onClick={() => onMove(name as ShownMove)}
    >
      {t(`processing.${name as ShownMove}`, { amount: inDollars(offer?.amount ?? '0') })}
    </Button>
  ))
}

interface MovesProps {
  submission: SellerSubmission
  onMove: (name: ShownMove) => void
}

/** The seller's moves from a status that is not final. */
type ShownMove = 'answer' | AskedMove
type AskedMove = 'withdraw' | 'accept' | 'decline'

interface Asking {
  name: AskedMove
  submission: SellerSubmission
}

/** Asks before a move that cannot be taken back. Stays until the list shows the change, so that nothing is sent twice. */
function MoveDialog({ name, submission, open, onClose }: MoveDialogProps) {
  const t = useWords()
  const client = useQueryClient()
  const { offer } = submission
  const texts = { card: cardName(submission.brandName), amount: inDollars(offer?.amount ?? '0') }
  const refreshCards = () =>
    refresh(client, routes.mySubmissions, routes.myTransactions, routes.myEarnings, routes.myHistory)
  const params = { id: submission.id }
  const move = useMutation({
    mutationFn: () => {
      if (name === 'accept')
        return call(routes.acceptOffer, { params, body: { amount: offer?.amount ?? '' } })
      return call(name === 'decline' ? routes.declineOffer : routes.withdraw, { params })
    },
    onSuccess: async () => {
      await refreshCards()
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
      await refreshCards()
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
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
    </Dialog>
  )
}

interface MoveDialogProps extends Asking {
  open: boolean
  onClose: () => void
}

function OfferTerms({ submission: { sellingPrice, offer } }: { submission: SellerSubmission }) {
  const t = useWords()
  if (!offer) return null
  return (
    <Ledger className="border-line border-y">
      <LedgerRow name={t('processing.offer.quote')}>
        <s className="font-normal text-soft">
          <Money amount={sellingPrice} />
        </s>
      </LedgerRow>
      <LedgerRow name={t('processing.offer.new')}>
        <Money amount={offer.amount} size="lg" className="text-accent" />
      </LedgerRow>
      {offer.reason && (
        <LedgerRow long name={t('processing.offer.reason')}>
          <span className="whitespace-pre-line font-normal">{offer.reason}</span>
        </LedgerRow>
      )}
    </Ledger>
  )
}
