import { useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { toDollars } from '#domain/money.ts'
import { suggestedOffer } from '#domain/quote.ts'
import { may } from '#domain/roles.ts'
import { findMove, staffStatus } from '#domain/submission.ts'
import { cx } from '#web/kit/cx.ts'
import { toast } from '#web/kit/toast.ts'
import type { ClaimControl } from '../../facts/use-claim.ts'
import { KeyButton } from '../../shell/keys/KeyHint.tsx'
import { useStaff } from '../../shell/use-staff.ts'
import { DecisionDialog } from './DecisionDialog.tsx'
import { stopOf } from './move-stop.ts'
import { openRisk } from './open-risk.ts'
import type { MoveMutation } from './use-move.ts'

interface SuggestedOfferProps {
  submission: StaffSubmission
  move: MoveMutation
  claim: ClaimControl
}

/** Offers the price that follows from the balance found. Nothing if no offer can be made. */
export function SuggestedOffer({ submission, move, claim }: SuggestedOfferProps) {
  const { admin } = useStaff()
  const [isOpen, open] = useState(false)
  const offerMove = findMove(staffStatus(submission.status), 'offered', 'staff')
  const offer = suggestedOffer(submission)
  if (!offerMove || offer === undefined || openRisk(submission, offerMove)) return null
  if (!may(admin.role, 'decide')) return null
  const stop = stopOf(submission, offerMove)
  return (
    <>
      <KeyButton
        action="offer"
        variant="secondary"
        size="sm"
        title={stop && `${stop.title}. ${stop.description}`}
        aria-disabled={stop && true}
        className={cx('justify-self-start', stop && 'border-dashed text-soft')}
        onClick={() => (stop ? toast({ ...stop, variant: 'destructive' }) : open(true))}
      >
        Offer {toDollars(offer)}
      </KeyButton>
      <DecisionDialog
        open={isOpen}
        move={offerMove}
        submission={submission}
        decision={move}
        claim={claim}
        onClose={() => open(false)}
      />
    </>
  )
}
