import { Suspense } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { cardName } from '#web/cards/text.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'

// Fetched with the dialog: few cards are asked about.
const AnswerForm = lazyComponent(() => import('./AnswerForm.tsx').then((module) => module.AnswerForm))

interface AnswerDialogProps {
  /** As it was when the dialog was opened. */
  submission: SellerSubmission
  /** The current version, if a loaded list has it. */
  current: SellerSubmission | undefined
  open: boolean
  onClose: () => void
}

export function AnswerDialog({ submission, current, open, onClose }: AnswerDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Answer about your ${cardName(submission.brandName)}`}
    >
      <Suspense fallback={<SkeletonRows rows={3} label="Loading the form" />}>
        <AnswerForm submission={current ?? submission} onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
