import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { paymentStop } from '#domain/seller-state.ts'
import { decides, type Move, type MoveName } from '#domain/submission.ts'
import { moveLabel } from '../../shell/keys/move-label.ts'

export interface MoveStop {
  title: string
  description: string
}

export const ownRejection: MoveStop = {
  title: 'You rejected it',
  description: 'Someone else must decide on the appeal.',
}

/** Why this person cannot make the move now, and what can be done instead. Undefined if they can. */
export function stopOf(
  { user, onHold, secondPersonNeeded }: StaffSubmission,
  move: Move,
): MoveStop | undefined {
  if (secondPersonNeeded && decides(move)) return ownRejection
  const stop = paymentStop({ sellerState: user.state, isOnHold: onHold })
  return stop && move.to === 'completed' ? stopWords(stop, move.name) : undefined
}

const stops = {
  seller_held: { title: 'Seller on hold', after: 'after the release' },
  on_hold: { title: 'Legal hold', after: 'after the hold is lifted' },
} as const

function stopWords(stop: keyof typeof stops, name: MoveName): MoveStop {
  const { title, after } = stops[stop]
  const start = moveLabel({ from: 'pending', to: 'processing' })
  const description =
    name === 'approve' ? `${start} approves it; it is paid ${after}.` : `It is paid ${after}.`
  return { title, description }
}
