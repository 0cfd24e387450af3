/**
 * The status machine. Buttons, refusals, texts, emails and lists are all derived from the two tables `statusRules` and
 * `moves`.
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
  /** For staff. */
  readonly label: string
  /** The status in the seller's API. */
  readonly sellerStatus: SellerStatus
  readonly sellerLabel: string
  readonly sellerText: string
  /** Nothing more happens unless staff revert it. */
  readonly final: boolean
  /** Whether clear-all removes it. */
  readonly clearable: boolean
}

export const statusRules: Readonly<Record<Status, StatusRule>> = {
  pending: {
    label: 'Pending',
    sellerStatus: 'pending',
    sellerLabel: 'Pending Review',
    sellerText: 'Your card is being reviewed',
    final: false,
    clearable: true,
  },
  under_review: {
    label: 'Under Review',
    sellerStatus: 'under_review',
    sellerLabel: 'Under Review',
    sellerText: 'Additional verification required',
    final: false,
    clearable: true,
  },
  processing: {
    label: 'Processing',
    sellerStatus: 'approved',
    sellerLabel: 'Approved',
    sellerText: 'Approved, your payment is being processed',
    final: false,
    clearable: true,
  },
  completed: {
    label: 'Completed',
    sellerStatus: 'completed',
    sellerLabel: 'Completed',
    sellerText: 'Paid',
    final: true,
    clearable: false,
  },
  rejected: {
    label: 'Rejected',
    sellerStatus: 'rejected',
    sellerLabel: 'Rejected',
    sellerText: 'Rejected, please contact support',
    final: true,
    clearable: true,
  },
  failed: {
    label: 'Failed',
    sellerStatus: 'failed',
    sellerLabel: 'Failed',
    sellerText: 'The payment failed, please contact support',
    final: true,
    clearable: true,
  },
  cancelled: {
    label: 'Cancelled',
    sellerStatus: 'cancelled',
    sellerLabel: 'Cancelled',
    sellerText: 'Withdrawn by you',
    final: true,
    clearable: true,
  },
}

export type Mover = 'staff' | 'seller'

export interface Move {
  readonly from: Status
  readonly to: Status
  readonly by: Mover
  /** Follows a name: "Ana approved it". */
  readonly pastTense: string
  /** The text to the seller that the move requires. */
  readonly needs?: 'reason' | 'question'
  /** The request must include the version that the mover saw, because money may have been sent since. */
  readonly needsVersion?: true
}

export const moves: readonly Move[] = [
  { from: 'pending', to: 'processing', by: 'staff', pastTense: 'started processing it' },
  { from: 'pending', to: 'completed', by: 'staff', pastTense: 'approved it' },
  { from: 'pending', to: 'rejected', by: 'staff', pastTense: 'rejected it', needs: 'reason' },
  {
    from: 'pending',
    to: 'under_review',
    by: 'staff',
    pastTense: 'asked the seller about it',
    needs: 'question',
  },
  { from: 'pending', to: 'cancelled', by: 'seller', pastTense: 'withdrew it' },
  { from: 'under_review', to: 'pending', by: 'staff', pastTense: 'resumed its review' },
  { from: 'under_review', to: 'pending', by: 'seller', pastTense: 'answered the question about it' },
  { from: 'under_review', to: 'rejected', by: 'staff', pastTense: 'rejected it', needs: 'reason' },
  { from: 'under_review', to: 'cancelled', by: 'seller', pastTense: 'withdrew it' },
  { from: 'processing', to: 'completed', by: 'staff', pastTense: 'completed it' },
  { from: 'processing', to: 'failed', by: 'staff', pastTense: 'marked it as failed', needs: 'reason' },
  {
    from: 'completed',
    to: 'processing',
    by: 'staff',
    pastTense: 'reverted it to processing',
    needsVersion: true,
  },
  { from: 'rejected', to: 'processing', by: 'staff', pastTense: 'reverted it to processing' },
  { from: 'failed', to: 'processing', by: 'staff', pastTense: 'reverted it to processing' },
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

/** Whether a submission ended without a payment. The seller's API has the same names for these statuses. */
export function endedUnpaid(word: string): boolean {
  return isStatus(word) && statusRules[word].final && word !== 'completed'
}

/** The seller's texts for a status of the seller's API. Says that it is unknown if the status is newer than this client. */
export function sellerWords(word: string): { label: string; text: string; final: boolean } {
  const rule = Object.values(statusRules).find((candidate) => candidate.sellerStatus === word)
  if (!rule) return { label: 'Unknown', text: 'Status unknown', final: false }
  return { label: rule.sellerLabel, text: rule.sellerText, final: rule.final }
}

/** The status to show to staff; pending for a status that is newer than this client. */
export function staffStatus(word: string): Status {
  return isStatus(word) ? word : 'pending'
}
