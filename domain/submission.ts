/**
 * The one status machine. Staff's buttons, the server's refusals, the seller's words and what the
 * lists count as final are all derived from these two tables.
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
  /** The word staff see. */
  readonly label: string
  /** The word that the seller's calls carry. */
  readonly sellerStatus: SellerStatus
  readonly sellerLabel: string
  readonly sellerText: string
  /** Nothing further happens unless staff revert it. */
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
  /** The button's label. */
  readonly label: string
  /** What somebody did who made it: "Ana approved it". */
  readonly deed: string
  /** What has to come with the move: a reason the seller reads, or a question to the seller. */
  readonly needs?: 'reason' | 'question'
  /** The mover has to name the version they saw: money may have been sent meanwhile. */
  readonly needsVersion?: true
}

const REVERTED = 'took it back to processing'

export const moves: readonly Move[] = [
  {
    from: 'pending',
    to: 'processing',
    by: 'staff',
    label: 'Start Processing',
    deed: 'started processing it',
  },
  { from: 'pending', to: 'completed', by: 'staff', label: 'Approve & Complete', deed: 'approved it' },
  { from: 'pending', to: 'rejected', by: 'staff', label: 'Reject', deed: 'rejected it', needs: 'reason' },
  {
    from: 'pending',
    to: 'under_review',
    by: 'staff',
    label: 'Request Information',
    deed: 'asked the seller about it',
    needs: 'question',
  },
  { from: 'pending', to: 'cancelled', by: 'seller', label: 'Withdraw', deed: 'withdrew it' },
  { from: 'under_review', to: 'pending', by: 'staff', label: 'Resume Review', deed: 'resumed its review' },
  {
    from: 'under_review',
    to: 'pending',
    by: 'seller',
    label: 'Answer',
    deed: 'answered the question about it',
  },
  {
    from: 'under_review',
    to: 'rejected',
    by: 'staff',
    label: 'Reject',
    deed: 'rejected it',
    needs: 'reason',
  },
  { from: 'under_review', to: 'cancelled', by: 'seller', label: 'Withdraw', deed: 'withdrew it' },
  { from: 'processing', to: 'completed', by: 'staff', label: 'Mark Complete', deed: 'completed it' },
  {
    from: 'processing',
    to: 'failed',
    by: 'staff',
    label: 'Mark Failed',
    deed: 'marked it as failed',
    needs: 'reason',
  },
  {
    from: 'completed',
    to: 'processing',
    by: 'staff',
    label: 'Revert to Processing',
    deed: REVERTED,
    needsVersion: true,
  },
  { from: 'rejected', to: 'processing', by: 'staff', label: 'Revert to Processing', deed: REVERTED },
  { from: 'failed', to: 'processing', by: 'staff', label: 'Revert to Processing', deed: REVERTED },
]

/** The moves that this person can make now: the buttons to show. */
export function movesFrom(from: Status, by: Mover): readonly Move[] {
  return moves.filter((move) => move.from === from && move.by === by)
}

/** The move, or undefined when the table doesn't have it. */
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
/** Their secrets are erased by age. A completed card was bought, so it is kept until the operator releases it. */
export const erasedByAge: readonly Status[] = finalStatuses.filter((status) => status !== 'completed')
export const clearableStatuses: readonly Status[] = statuses.filter((status) => statusRules[status].clearable)

export function isStatus(word: string): word is Status {
  return (statuses as readonly string[]).includes(word)
}

/** Whether a submission ended without a payment. Sellers and staff have the same words for these statuses. */
export function endedUnpaid(word: string): boolean {
  return isStatus(word) && statusRules[word].final && word !== 'completed'
}

/** What the seller reads for a status word of the seller's calls; a word this client doesn't know is "unknown". */
export function sellerWords(word: string): { label: string; text: string; final: boolean } {
  const rule = Object.values(statusRules).find((candidate) => candidate.sellerStatus === word)
  if (!rule) return { label: 'Unknown', text: 'Status unknown', final: false }
  return { label: rule.sellerLabel, text: rule.sellerText, final: rule.final }
}

/** The status staff see; a word this client doesn't know shows as pending. */
export function staffStatus(word: string): Status {
  return isStatus(word) ? word : 'pending'
}
