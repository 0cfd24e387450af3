import type { PaymentType } from './payment-methods.ts'

/**
 * A payout is the money for one approved submission. The database allows one live payout per submission, so that nobody is
 * paid twice.
 */

export const payoutStates = ['due', 'batched', 'released', 'exported', 'paid', 'returned', 'void'] as const
export type PayoutState = (typeof payoutStates)[number]

/** A submission has at most one payout in these states. */
export const liveStates: readonly PayoutState[] = ['due', 'batched', 'released', 'exported', 'paid']
/** Still owed to the seller. */
export const owedStates: readonly PayoutState[] = ['due', 'batched', 'released', 'exported', 'returned']

/** Why a payout is no longer owed. `failed`: its submission; `taken_back`: a payment by hand that replaced a returned payout. */
export const voidReasons = [
  'undone',
  'failed',
  'rechecked',
  'cleared',
  'file_rejected',
  'abandoned',
  'taken_back',
] as const
export type VoidReason = (typeof voidReasons)[number]

interface MoveOf<State> {
  readonly from: readonly State[]
  readonly to: State
}

export const payoutMoves = {
  batch: { from: ['due'], to: 'batched' },
  /** It was taken out of its batch, or the batch was dissolved. */
  unbatch: { from: ['batched', 'released'], to: 'due' },
  release: { from: ['batched'], to: 'released' },
  export: { from: ['released'], to: 'exported' },
  /** Sent without a batch. */
  payByHand: { from: ['due'], to: 'paid' },
  /** The bank or service has paid it. */
  confirm: { from: ['exported'], to: 'paid' },
  /** A payout that was marked as paid by hand was not sent. */
  reopen: { from: ['paid'], to: 'due' },
  /** The same for a payout that replaced a returned one and was paid by hand. The returned one waits for another account again. */
  unrenew: { from: ['paid'], to: 'void' },
  /** The money came back. The seller enters another account, which creates a new payout. */
  return: { from: ['exported', 'paid'], to: 'returned' },
  /** The bank rejected the file. Another payout under a new number replaces it. */
  reject: { from: ['exported'], to: 'void' },
  /** Its batch was abandoned. Another payout under a new number replaces it. */
  abandon: { from: ['released'], to: 'void' },
  void: { from: ['due', 'batched', 'released'], to: 'void' },
} as const satisfies Record<string, MoveOf<PayoutState>>
export type PayoutMoveName = keyof typeof payoutMoves

export function mayMovePayout(state: PayoutState, name: PayoutMoveName): boolean {
  const { from }: MoveOf<PayoutState> = payoutMoves[name]
  return from.includes(state)
}

/**
 * A batch is open while payouts are chosen. Freezing checks each one and fixes the contents. A payout can still be taken out, which
 * opens the batch again. Another person releases it, which makes its file and ends all changes. A void batch was dissolved, and
 * its payouts are due again. A rejected batch was exported, but the bank refused the file, or a provider never answered and does not
 * have it: other payouts replace its own. A settled batch is on the statement of the bank or service: the money left. Its payouts
 * can still come back.
 */
export const batchStates = ['open', 'frozen', 'released', 'exported', 'settled', 'rejected', 'void'] as const
export type BatchState = (typeof batchStates)[number]

export const batchMoves = {
  freeze: { from: ['open'], to: 'frozen' },
  takeOut: { from: ['open', 'frozen'], to: 'open' },
  release: { from: ['frozen'], to: 'released' },
  /** Allows downloads of the file: the same bytes each time. */
  export: { from: ['released'], to: 'exported' },
  settle: { from: ['exported'], to: 'settled' },
  /** One person reports that the bank rejected the file, and another confirms it. */
  reject: { from: ['exported'], to: 'rejected' },
  /** The same for a batch whose answer never came: one person reports that the provider does not have it. */
  abandon: { from: ['released'], to: 'rejected' },
  void: { from: ['open', 'frozen', 'released'], to: 'void' },
} as const satisfies Record<string, MoveOf<BatchState>>
export type BatchMoveName = keyof typeof batchMoves

export function mayMoveBatch(state: BatchState, name: BatchMoveName): boolean {
  const { from }: MoveOf<BatchState> = batchMoves[name]
  return from.includes(state)
}

/** The payouts of these batches were sent. */
export const sentBatchStates: readonly BatchState[] = ['exported', 'settled']
/** These batches still need work. */
export const unfinishedBatchStates = [
  'open',
  'frozen',
  'released',
  'exported',
] as const satisfies readonly BatchState[]

/** How payouts leave: an ACH file for the bank, PayPal's mass payment, or a list to pay one by one. */
export const fileKinds = ['nacha', 'paypal', 'worksheet'] as const
export type FileKind = (typeof fileKinds)[number]

export function fileKindOf(type: PaymentType): FileKind {
  if (type === 'bank_transfer') return 'nacha'
  return type === 'paypal' || type === 'venmo' ? 'paypal' : 'worksheet'
}

/** How soon the money usually arrives. Undefined if that varies too much. */
export function arrivalOf(type: PaymentType): 'same_day' | 'next_banking_day' | undefined {
  return arrivals[type]
}

const arrivals: Partial<Readonly<Record<PaymentType, 'same_day' | 'next_banking_day'>>> = {
  paypal: 'same_day',
  venmo: 'same_day',
  zelle: 'same_day',
  chime: 'same_day',
  cash_app: 'same_day',
  bank_transfer: 'next_banking_day',
}

/** The longest a review usually takes, in hours. Most take one. */
export const REVIEW_HOURS = 24

/** Maximum payouts in a batch. PayPal takes at most 5,000 rows in a file. */
export const MAX_BATCH: Readonly<Record<FileKind, number>> = { nacha: 10_000, paypal: 5_000, worksheet: 500 }

/** Maximum fee of a batch or of one line of a statement, in cents. More is a typing error. */
export const MAX_FEE = 1_000_000

/** Hours until a payout can be in a batch after its seller has entered another account. */
export const CHANGED_ACCOUNT_HOURS = 24

/**
 * Whether the bank checks an account before its first ACH payment, by a prenote of zero dollars: `needed` if no file has it yet, and
 * `waiting` while the bank can still answer. `none` if nothing keeps the account from being paid.
 */
export type PrenoteState = 'none' | 'needed' | 'waiting'

/** The facts about a due payout that decide whether it can be in a batch. */
interface BatchFacts {
  readonly amount: number
  readonly routingNumberSuspect: boolean
  readonly isEmailConfirmed: boolean
  readonly isSellerPaid: boolean
  /** A hold on the submission or its seller. */
  readonly isOnHold: boolean
  /** A payment by hand was reverted, or a provider paid an abandoned batch, and no payer has said that it was not sent. */
  readonly isPaidBefore: boolean
  /** A bank or service refused the account, and no payer has lifted that. */
  readonly isAccountDead: boolean
  /** The account replaced another one less than `CHANGED_ACCOUNT_HOURS` ago. */
  readonly isAccountNew: boolean
  /** A blocking risk that nobody has acknowledged. */
  readonly hasOpenRisk: boolean
  /** The shop requires a recent balance check, and there is none. */
  readonly needsBalanceCheck: boolean
  readonly prenote: PrenoteState
}

const batchRules = {
  seller_held: ({ isSellerPaid }) => !isSellerPaid,
  on_hold: ({ isOnHold }) => isOnHold,
  paid_before: ({ isPaidBefore }) => isPaidBefore,
  account_dead: ({ isAccountDead }) => isAccountDead,
  email_unconfirmed: ({ isEmailConfirmed }) => !isEmailConfirmed,
  account_new: ({ isAccountNew }) => isAccountNew,
  routing_number: ({ routingNumberSuspect }) => routingNumberSuspect,
  risk_open: ({ hasOpenRisk }) => hasOpenRisk,
  balance_unchecked: ({ needsBalanceCheck }) => needsBalanceCheck,
  /** The seller's debt took the whole price. */
  nothing_to_send: ({ amount }) => amount === 0,
  /** Checked last, so that prenotes are sent only for payouts without another problem. */
  prenote_needed: ({ prenote }) => prenote === 'needed',
  prenote_waiting: ({ prenote }) => prenote === 'waiting',
} as const satisfies Record<string, (facts: BatchFacts) => boolean>

export type BatchProblem = keyof typeof batchRules
export const batchProblems = Object.keys(batchRules) as [BatchProblem, ...BatchProblem[]]

/** Why a due payout cannot be in a batch; undefined if it can. */
export function batchProblem(facts: BatchFacts): BatchProblem | undefined {
  return batchProblems.find((problem) => batchRules[problem](facts))
}

/** Only staff, banks and providers cause these. A seller's change of address must not keep a whole file from leaving. */
const releasedProblems = [
  'seller_held',
  'on_hold',
  'paid_before',
  'account_dead',
  'risk_open',
] as const satisfies readonly BatchProblem[]
export type ReleasedProblem = (typeof releasedProblems)[number]

/** Why the file with a released payout must not leave; undefined if it may. */
export function releasedProblem(facts: BatchFacts): ReleasedProblem | undefined {
  return releasedProblems.find((problem) => batchRules[problem](facts))
}

/**
 * Where the automatic payment of a payout is that a policy approved. `asking`: the balance of its card is asked again. The others after
 * `batched` say why a person has to pay it.
 */
export const automaticStates = [
  'asking',
  'batched',
  /** The service gave no balance. */
  'no_answer',
  /** The card has less than before, so it is in review again. */
  'less',
  'policy_off',
  'policies_stopped',
  'payouts_stopped',
  'payout_limit',
  'second_person_needed',
  'payout_not_batchable',
  'failed',
] as const
export type AutomaticState = (typeof automaticStates)[number]

/** What staff have to decide before a payout of zero closes itself. */
const openDecisions = [
  'seller_held',
  'on_hold',
  'paid_before',
  'risk_open',
  'balance_unchecked',
] as const satisfies readonly BatchProblem[]

/** Whether a due payout is recorded as paid automatically, because it sends nothing. */
export function closesItself(facts: BatchFacts): boolean {
  return facts.amount === 0 && !openDecisions.some((problem) => batchRules[problem](facts))
}
