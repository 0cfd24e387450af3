import { Suspense } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { cardName } from '../../quote/card-name.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { part } from '../../ui/part.ts'
import { SkeletonRows } from '../../ui/Skeleton.tsx'

// Fetched with the dialog: few cards are asked about.
const AnswerForm = part(() => import('./AnswerForm.tsx').then((module) => module.AnswerForm))

interface AnswerDialogProps {
  /** As it was when the dialog was opened. */
  submission: SellerSubmission
  /** As it is now, where a loaded list has it. */
  current: SellerSubmission | undefined
  open: boolean
  onClose: () => void
}

export function AnswerDialog({ submission, current, open, onClose }: AnswerDialogProps) {
  const ended = current?.status === 'rejected' || current?.status === 'cancelled' ? current : undefined
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Answer about your ${cardName(submission.brandName)}`}
    >
      {ended && (
        <Notice
          tone="negative"
          title={`This card was ${ended.status === 'rejected' ? 'rejected' : 'withdrawn'} while you were writing`}
          urgent
        >
          {ended.statusReason && <p className="wrap-anywhere whitespace-pre-line">{ended.statusReason}</p>}
          <p>Your answer was not sent. You can still copy it.</p>
        </Notice>
      )}
      {submission.statusReason && !ended && (
        <Notice tone="caution">
          <p className="wrap-anywhere whitespace-pre-line">{submission.statusReason}</p>
        </Notice>
      )}
      <Suspense fallback={<SkeletonRows rows={3} label="Loading the form" />}>
        <AnswerForm submission={submission} ended={ended !== undefined} onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
