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
  submission: SellerSubmission
  open: boolean
  onClose: () => void
}

export function AnswerDialog({ submission, open, onClose }: AnswerDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Answer about your ${cardName(submission.brandName)}`}
    >
      {submission.statusReason && (
        <Notice tone="caution">
          <p className="wrap-anywhere whitespace-pre-line">{submission.statusReason}</p>
        </Notice>
      )}
      <Suspense fallback={<SkeletonRows rows={3} label="Loading the form" />}>
        <AnswerForm submission={submission} onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
