import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { Move } from '#domain/submission.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { ClaimControl } from '../claims/use-claim.ts'
import { DecisionForm } from './DecisionForm.tsx'
import type { MoveMutation } from './use-move.ts'

export interface DecisionProps {
  move: Move
  submission: StaffSubmission
  decision: MoveMutation
  claim: ClaimControl
  onClose: () => void
}

/** Asks for the words that a move needs: the reason of a rejection or failure, the question to the seller. */
export function DecisionDialog({ open, ...props }: DecisionProps & { open: boolean }) {
  const { move, submission, onClose } = props
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      wide={move.needs === 'reason'}
      title={move.label}
      description={`${submission.brandName} card of ${submission.user.username}`}
    >
      <DecisionForm {...props} />
    </Dialog>
  )
}
