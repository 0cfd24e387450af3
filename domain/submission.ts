/**
 * The status machine. Buttons, refusals, emails and lists are all derived from the two tables `statusRules` and `moves`.
 * The texts are in words/en/statuses.json.
 */

export const statuses = [
  'pending',
  'under_review',
  'processing',
  'completed',
  'rejected',
  'failed',
  'cancelled',
] as const
export type Status = (typeof statuses)[number]

export type SellerStatus = Exclude<Status, 'processing'> | 'approved'

interface StatusRule {
  /** The status in the seller's API. */
  readonly sellerStatus: SellerStatus
  /** Nothing more happens unless staff revert it. */
  readonly final: boolean
  /** Whether clear-all removes it. */
  readonly clearable: boolean
}

export const statusRules: Readonly<Record<Status, StatusRule>> = {
  pending: {
    sellerStatus: 'pending',
    final: false,
    clearable: true,
  },
  under_review: {
    sellerStatus: 'under_review',
    final: false,
    clearable: true,
  },
  processing: {
    sellerStatus: 'approved',
    final: false,
    clearable: true,
  },
  completed: {
    sellerStatus: 'completed',
    final: true,
    clearable: false,
  },
  rejected: {
    sellerStatus: 'rejected',
    final: true,
    clearable: true,
  },
  failed: {
    sellerStatus: 'failed',
    final: true,
    clearable: true,
  },
  cancelled: {
    sellerStatus: 'cancelled',
    final: true,
    clearable: true,
  },
}

export type Mover = 'staff' | 'seller'

/** What the mover does. */
export type MoveName =
  | 'start'
  | 'approve'
  | 'reject'
  | 'ask'
  | 'withdraw'
  | 'resume'
  | 'answer'
  | 'complete'
  | 'fail'
  | 'revert'

export interface Move {
  readonly from: Status
  readonly to: Status
  readonly by: Mover
  readonly name: MoveName
  /** The text to the seller that the move requires. */
  readonly needs?: 'reason' | 'question'
  /** The request must include the version that the mover saw, because money may have been sent since. */
  readonly needsVersion?: true
}

export const moves: readonly Move[] = [
  { from: 'pending', to: 'processing', by: 'staff', name: 'start' },
  { from: 'pending', to: 'completed', by: 'staff', name: 'approve' },
  { from: 'pending', to: 'rejected', by: 'staff', name: 'reject', needs: 'reason' },
  {
    from: 'pending',
    to: 'under_review',
    by: 'staff',
    name: 'ask',
    needs: 'question',
  },
  { from: 'pending', to: 'cancelled', by: 'seller', name: 'withdraw' },
  { from: 'under_review', to: 'pending', by: 'staff', name: 'resume' },
  { from: 'under_review', to: 'pending', by: 'seller', name: 'answer' },
  { from: 'under_review', to: 'rejected', by: 'staff', name: 'reject', needs: 'reason' },
  { from: 'under_review', to: 'cancelled', by: 'seller', name: 'withdraw' },
  { from: 'processing', to: 'completed', by: 'staff', name: 'complete' },
  { from: 'processing', to: 'failed', by: 'staff', name: 'fail', needs: 'reason' },
  {
    from: 'completed',
    to: 'processing',
    by: 'staff',
    name: 'revert',
    needsVersion: true,
  },
  { from: 'rejected', to: 'processing', by: 'staff', name: 'revert' },
  { from: 'failed', to: 'processing', by: 'staff', name: 'revert' },
]

/** The moves that this side can make now. */
export function movesFrom(from: Status, by: Mover): readonly Move[] {
  return moves.filter((move) => move.from === from && move.by === by)
}

/** The move, or undefined if it is not allowed. */
export function findMove(from: Status, to: Status, by: Mover): Move | undefined {
  return moves.find((move) => move.from === from && move.to === to && move.by === by)
}

export const finalStatuses: readonly Status[] = statuses.filter((status) => statusRules[status].final)
export const openStatuses: readonly Status[] = statuses.filter((status) => !statusRules[status].final)
/** Statuses that come with a text to the seller: a reason or a question. */
export const explainedStatuses: readonly Status[] = statuses.filter((status) =>
  moves.some(({ to, needs }) => needs && to === status),
)
/** Statuses in which the seller was paid or still may be. */
export const openOrPaidStatuses: readonly Status[] = statuses.filter((status) => !endedUnpaid(status))
/** Statuses whose secrets are erased after some days. A completed card is kept until the operator releases it. */
export const erasedByAge: readonly Status[] = finalStatuses.filter((status) => status !== 'completed')
export const clearableStatuses: readonly Status[] = statuses.filter((status) => statusRules[status].clearable)

export function isStatus(word: string): word is Status {
  return (statuses as readonly string[]).includes(word)
}

/** Whether nothing more happens in this status. The seller's API has the same names for the final statuses. */
export function isFinal(word: string): boolean {
  return isStatus(word) && statusRules[word].final
}

/** Whether a submission ended without a payment. */
export function endedUnpaid(word: string): boolean {
  return isFinal(word) && word !== 'completed'
}

/** The seller's status for a status of either side; `unknown` for one that is newer than this client. */
export function sellerStatusOf(word: string): SellerStatus | 'unknown' {
  if (isStatus(word)) return statusRules[word].sellerStatus
  return word === 'approved' ? word : 'unknown'
}

/** The status to show to staff; pending for a status that is newer than this client. */
export function staffStatus(word: string): Status {
  return isStatus(word) ? word : 'pending'
}
