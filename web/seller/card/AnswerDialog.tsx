import { Suspense } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { cardName } from '#web/cards/text.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { useWords } from '#web/words/words.ts'
import { keepTyped } from '../../chat/typed-text.ts'

// Loaded with the dialog, because we ask about few cards.
const AnswerForm = lazyComponent(() => import('./AnswerForm.tsx').then((module) => module.AnswerForm))

export function AnswerDialog({ submission, open, onClose }: AnswerDialogProps) {
  const t = useWords()
  /** A reload or Back keeps what was typed; closing the dialog does not. */
  function close() {
    keepTyped(submission.id, '')
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={t('processing.answer.title', { card: cardName(submission.brandName) })}
    >
      <Suspense fallback={<SkeletonRows rows={3} label={t('processing.answer.loading')} />}>
        <AnswerForm submission={submission} onClose={close} />
      </Suspense>
    </Dialog>
  )
}

interface AnswerDialogProps {
  submission: SellerSubmission
  open: boolean
  onClose: () => void
}
