import { useMutation, useQueryClient } from '@tanstack/react-query'
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
import { Panel } from '#web/kit/Panel.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { Timeline } from './Timeline.tsx'

/** A submission in progress: what it pays, its status, and what the seller can do. */
export function OpenSubmission({ submission, onAnswer }: OpenSubmissionProps) {
  const [withdrawing, setWithdrawing] = useState(false)
  const [history, setHistory] = useState(false)
  const t = useWords()
  const status = sellerStatusOf(submission.status)
  const next = nextSteps[status]
  return (
    <Panel
      aria-label={cardName(submission.brandName)}
      className="grid h-full grid-cols-1 content-start gap-5"
    >
      <Head submission={submission} />
      <p className="grid gap-1">
        <span className="text-soft">{t('processing.receive')}</span>
        <Money amount={submission.sellingPrice} size="figure" className="text-accent" />
        <span className="figures text-soft">
          {t('processing.value', { amount: inDollars(submission.denomination) })}
        </span>
      </p>
      <div className="grid gap-1">
        <p className="font-medium">{t(`statuses.text.${status}`)}</p>
        {next && <p className="text-soft text-sm">{t(next)}</p>}
      </div>
      {submission.status === 'under_review' && submission.statusReason && (
        <Notice tone="caution" title={t('processing.question')}>
          <p className="wrap-anywhere whitespace-pre-line">{submission.statusReason}</p>
        </Notice>
      )}
      {submission.notes && (
        <p className="wrap-anywhere whitespace-pre-line text-sm">
          <span className="text-soft">{t('processing.notes')}</span> {submission.notes}
        </p>
      )}
      <div className="flex flex-wrap gap-2 border-line border-t pt-4">
        <Moves submission={submission} onAnswer={onAnswer} onWithdraw={() => setWithdrawing(true)} />
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
      <WithdrawDialog submission={submission} open={withdrawing} onClose={() => setWithdrawing(false)} />
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

/** One button for each move that the status table allows the seller. */
function Moves({ submission, onAnswer, onWithdraw }: OpenSubmissionProps & { onWithdraw: () => void }) {
  const t = useWords()
  const moves = isStatus(submission.status) ? movesFrom(submission.status, 'seller') : []
  return moves.map((move) => (
    <Button
      key={move.to}
      size="sm"
      variant={move.to === 'cancelled' ? 'secondary' : 'primary'}
      onClick={move.to === 'cancelled' ? onWithdraw : onAnswer}
    >
      {t(move.to === 'cancelled' ? 'processing.withdraw' : 'processing.answer')}
    </Button>
  ))
}

function WithdrawDialog({ submission, open, onClose }: SubmissionDialogProps) {
  const t = useWords()
  const client = useQueryClient()
  const card = cardName(submission.brandName)
  const withdraw = useMutation({
    mutationFn: () => call(routes.withdraw, { params: { id: submission.id } }),
    onSuccess: () => {
      toast({
        title: t('processing.withdraw.done'),
        description: t('processing.withdraw.doneText', { card }),
      })
      onClose()
    },
    onError: (error) =>
      toast({
        title: t('processing.withdraw.failed'),
        description: messageOf(error, t('processing.withdraw.failedText')),
        variant: 'destructive',
      }),
    // Also refreshes after a refusal, which means that the submission has changed.
    onSettled: () =>
      refresh(client, routes.mySubmissions, routes.myTransactions, routes.myEarnings, routes.myHistory),
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('processing.withdraw.title', { card })}
      description={t('processing.withdraw.text')}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('processing.withdraw.cancel')}
          </Button>
          <Button variant="danger" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t('processing.withdraw')}
          </Button>
        </>
      }
    />
  )
}

interface SubmissionDialogProps {
  submission: SellerSubmission
  open: boolean
  onClose: () => void
}
