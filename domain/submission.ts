import { type Capability, may, type Role } from './roles.ts'

/**
 * The status machine. Buttons, refusals, emails and lists are all derived from the two tables `statusRules` and `moves`.
 * The texts are in words/en/visitor/statuses.json.
 */

export const statuses = [
  'pending',
  'under_review',
  'offered',
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
  /** The seller may replace an account that cannot be paid. Nothing is due yet, so the new one does not have to wait. */
  readonly takesAccount?: true
}

export const statusRules: Readonly<Record<Status, StatusRule>> = {
  pending: { sellerStatus: 'pending', final: false, clearable: true, takesAccount: true },
  under_review: { sellerStatus: 'under_review', final: false, clearable: true, takesAccount: true },
  offered: { sellerStatus: 'offered', final: false, clearable: true, takesAccount: true },
  processing: { sellerStatus: 'approved', final: false, clearable: true },
  completed: { sellerStatus: 'completed', final: true, clearable: false },
  rejected: { sellerStatus: 'rejected', final: true, clearable: true },
  failed: { sellerStatus: 'failed', final: true, clearable: true },
  cancelled: { sellerStatus: 'cancelled', final: true, clearable: true },
}

/** `system`: the server itself, when a time is over or by a policy. */
export type Mover = 'staff' | 'seller' | 'system'

/** What the mover does. */
const moveNames = [
  'start',
  'approve',
  'reject',
  'ask',
  'offer',
  'accept',
  'decline',
  'expire',
  'rescind',
  'appeal',
  'withdraw',
  'resume',
  'answer',
  'complete',
  'fail',
  'revert',
  'return',
  'recheck',
  'change_account',
] as const
export type MoveName = (typeof moveNames)[number]

/** What an entry of the history can be. `unknown` only occurs in histories of earlier versions. */
export const historyNames = ['submit', ...moveNames, 'undo', 'unknown'] as const
export type HistoryName = (typeof historyNames)[number]

/**
 * What a move requires. `reason` and `question` are texts to the seller. `offer` is a new price with a reason. `price` is the
 * offer that the seller saw. `message` is the seller's text to staff.
 */
type Need = 'reason' | 'question' | 'offer' | 'price' | 'message'

export interface Move {
  readonly name: MoveName
  readonly from: Status
  readonly to: Status
  readonly by: Mover
  readonly needs?: Need
  /** The request must include the version that the mover saw, because money may have been sent since. */
  readonly needsVersion?: true
  /** Staff make it with one of these. */
  readonly may?: readonly Capability[]
  /** It agrees to pay for the card, so every blocking risk has to be acknowledged first. */
  readonly approves?: true
  /** Staff can undo it for a few seconds, before anyone is emailed. */
  readonly undoable?: true
  /** The email about the payout, or about its account, tells the seller. */
  readonly mailedByPayout?: true
}

const reviewer = { by: 'staff', may: ['decide'] } as const
const reviewerOrPayer = { by: 'staff', may: ['decide', 'pay'] } as const
const seller = { by: 'seller' } as const

export const moves: readonly Move[] = [
  { name: 'start', from: 'pending', to: 'processing', ...reviewer, approves: true, undoable: true },
  // By a policy.
  { name: 'start', from: 'pending', to: 'processing', by: 'system', approves: true },
  { name: 'approve', from: 'pending', to: 'completed', ...reviewer, approves: true, undoable: true },
  { name: 'reject', from: 'pending', to: 'rejected', ...reviewer, needs: 'reason', undoable: true },
  { name: 'ask', from: 'pending', to: 'under_review', ...reviewer, needs: 'question' },
  { name: 'offer', from: 'pending', to: 'offered', ...reviewer, needs: 'offer', approves: true },
  { name: 'withdraw', from: 'pending', to: 'cancelled', ...seller },
  { name: 'resume', from: 'under_review', to: 'pending', ...reviewer },
  { name: 'answer', from: 'under_review', to: 'pending', ...seller },
  { name: 'reject', from: 'under_review', to: 'rejected', ...reviewer, needs: 'reason', undoable: true },
  { name: 'offer', from: 'under_review', to: 'offered', ...reviewer, needs: 'offer', approves: true },
  { name: 'withdraw', from: 'under_review', to: 'cancelled', ...seller },
  { name: 'accept', from: 'offered', to: 'processing', ...seller, needs: 'price' },
  { name: 'decline', from: 'offered', to: 'cancelled', ...seller },
  { name: 'expire', from: 'offered', to: 'cancelled', by: 'system' },
  { name: 'rescind', from: 'offered', to: 'pending', ...reviewer },
  { name: 'complete', from: 'processing', to: 'completed', ...reviewerOrPayer, undoable: true },
  { name: 'complete', from: 'processing', to: 'completed', by: 'system' },
  // The balance was lower right before an automatic payment.
  { name: 'recheck', from: 'processing', to: 'pending', by: 'system' },
  { name: 'fail', from: 'processing', to: 'failed', ...reviewerOrPayer, needs: 'reason' },
  { name: 'revert', from: 'completed', to: 'processing', ...reviewerOrPayer, needsVersion: true },
  { name: 'return', from: 'completed', to: 'processing', by: 'system', mailedByPayout: true },
  { name: 'revert', from: 'rejected', to: 'processing', ...reviewer },
  { name: 'appeal', from: 'rejected', to: 'pending', ...seller, needs: 'message' },
  { name: 'revert', from: 'failed', to: 'processing', ...reviewerOrPayer },
  // Only `changePayoutAccount` makes it, for a payout that failed because of its account.
  { name: 'change_account', from: 'failed', to: 'processing', ...seller, mailedByPayout: true },
]

/** Hours until an offer expires. */
export const OFFER_HOURS = 72
/** Whether the move of staff decides on an appeal. Asking the seller does not. */
export const decides = ({ approves, name }: Move): boolean => approves === true || name === 'reject'

/** Days after a rejection in which the seller may appeal, once per submission. */
export const APPEAL_DAYS = 14
/** Seconds in which staff may undo a move that is `undoable`. */
export const UNDO_SECONDS = 10
/** The decision on a whole sale may take this many seconds before the time to undo it starts. */
export const SALE_DECISION_SECONDS = 20

/** A history without the undone moves, and without the entries that undid them: each comes right after its move. */
export function withoutUndone<Entry>(
  history: readonly Entry[],
  nameOf: (entry: Entry) => HistoryName | null,
): Entry[] {
  const isUndo = history.map((entry) => nameOf(entry) === 'undo')
  return history.filter((_, index) => !isUndo[index] && !isUndo[index + 1])
}

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
/** Statuses that come with a text to the seller: why, or what staff ask. */
export const explainedStatuses: readonly Status[] = statuses.filter((status) =>
  moves.some(
    ({ to, needs }) => to === status && (needs === 'reason' || needs === 'question' || needs === 'offer'),
  ),
)
/** Statuses in which the seller was paid or still may be. */
export const openOrPaidStatuses: readonly Status[] = statuses.filter((status) => !endedUnpaid(status))
/** Statuses before the approval in which the seller may replace an account that cannot be paid. */
export const accountTakingStatuses: readonly Status[] = statuses.filter(
  (status) => statusRules[status].takesAccount,
)
/** Statuses whose secrets are erased after some days. A completed card is kept until the operator releases it. */
export const erasedByAge: readonly Status[] = finalStatuses.filter((status) => status !== 'completed')
export const clearableStatuses: readonly Status[] = statuses.filter((status) => statusRules[status].clearable)

export function isStatus(word: string): word is Status {
  return (statuses as readonly string[]).includes(word)
}

/** Whether a role may see the number, PIN and photos of a card. A completed submission's card is ours. */
export function maySeeCard(role: Role, status: Status): boolean {
  return may(role, status === 'completed' ? 'release_codes' : 'reveal_cards')
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
