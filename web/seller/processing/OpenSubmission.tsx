import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { isStatus, movesFrom, sellerWords } from '#domain/submission.ts'
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
import { whatNext } from '#web/words/processing.ts'
import { Timeline } from './Timeline.tsx'

/** A submission in progress: what it pays, its status, and what the seller can do. */
export function OpenSubmission({ submission, onAnswer }: OpenSubmissionProps) {
  const [withdrawing, setWithdrawing] = useState(false)
  const [history, setHistory] = useState(false)
  const words = sellerWords(submission.status)
  return (
    <Panel
      aria-label={`${submission.brandName} card`}
      className="grid h-full grid-cols-1 content-start gap-5"
    >
      <Head submission={submission} word={words.label} />
      <p className="grid gap-1">
        <span className="text-soft">You will receive</span>
        <Money amount={submission.sellingPrice} size="figure" className="text-accent" />
        <span className="text-soft">
          Card value <Money amount={submission.denomination} />
        </span>
      </p>
      <div className="grid gap-1">
        <p className="font-medium">{words.text}</p>
        {whatNext[submission.status] && <p className="text-soft text-sm">{whatNext[submission.status]}</p>}
      </div>
      {submission.status === 'under_review' && submission.statusReason && (
        <Notice tone="caution" title="We have a question">
          <p className="wrap-anywhere whitespace-pre-line">{submission.statusReason}</p>
        </Notice>
      )}
      {submission.notes && (
        <p className="wrap-anywhere whitespace-pre-line text-sm">
          <span className="text-soft">Your notes: </span>
          {submission.notes}
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
          History
        </Button>
      </div>
      {history && <Timeline submission={submission} />}
      <WithdrawDialog submission={submission} open={withdrawing} onClose={() => setWithdrawing(false)} />
    </Panel>
  )
}

interface OpenSubmissionProps {
  submission: SellerSubmission
  onAnswer: () => void
}

function Head({ submission, word }: { submission: SellerSubmission; word: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <BrandTile name={submission.brandName} />
      <div className="min-w-32 flex-1">
        <h2 className="text-lg">{submission.brandName}</h2>
        <p className="text-soft text-sm">
          Submitted <Time at={submission.createdAt} />
        </p>
      </div>
      <StatusBadge status={submission.status}>{word}</StatusBadge>
    </div>
  )
}

/** One button for each move that the status table allows the seller. */
function Moves({ submission, onAnswer, onWithdraw }: OpenSubmissionProps & { onWithdraw: () => void }) {
  const moves = isStatus(submission.status) ? movesFrom(submission.status, 'seller') : []
  return moves.map((move) => (
    <Button
      key={move.to}
      size="sm"
      variant={move.to === 'cancelled' ? 'secondary' : 'primary'}
      onClick={move.to === 'cancelled' ? onWithdraw : onAnswer}
    >
      {move.to === 'cancelled' ? 'Withdraw' : 'Answer'}
    </Button>
  ))
}

function WithdrawDialog({ submission, open, onClose }: SubmissionDialogProps) {
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => call(routes.withdraw, { params: { id: submission.id } }),
    onSuccess: () => {
      toast({
        title: 'Submission Withdrawn',
        description: `You keep your ${cardName(submission.brandName)}, and we do not pay for it.`,
      })
      onClose()
    },
    onError: (error) =>
      toast({
        title: 'Withdrawal Failed',
        description: messageOf(error, 'Your submission could not be withdrawn. Please try again.'),
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
      title={`Withdraw your ${cardName(submission.brandName)}?`}
      description="We stop the review and do not pay for this card. It stays yours, and you can submit it again at any time."
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep in Review
          </Button>
          <Button variant="danger" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw
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
