import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { Move } from '#domain/submission.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import type { ClaimControl } from '../claims/use-claim.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { moveLabel } from './move-label.ts'
import type { MoveMutation } from './use-move.ts'

export interface DecisionProps {
  move: Move
  submission: StaffSubmission
  decision: MoveMutation
  claim: ClaimControl
  onClose: () => void
}

/** Asks for the words that a move needs (a reason, a question), or whether an approval by key was meant. */
export function DecisionDialog({ open, ...props }: DecisionProps & { open: boolean }) {
  const { move, submission, onClose } = props
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      wide={move.needs === 'reason'}
      title={moveLabel(move)}
      description={`${submission.brandName} card of ${submission.user.username}`}
    >
      {move.needs ? <DecisionForm {...props} /> : <ConfirmForm {...props} />}
    </Dialog>
  )
}
