import type { Cents } from './money.ts'
import { type BatchState, type FileKind, mayMoveBatch } from './payout.ts'

/** Sending batches through a provider's API instead of a file. */

export const providers = ['paypal'] as const
export type ProviderName = (typeof providers)[number]

/** The kind of batches that each provider sends. */
export const sentByProvider: Readonly<Record<ProviderName, FileKind>> = { paypal: 'paypal' }

/**
 * Where a batch is. `waiting`: the provider does not have it. `sending`: a request may have reached the provider, and its answer is
 * not known. The others are the provider's own states.
 */
export const providerStates = [
  'waiting',
  'sending',
  'pending',
  'processing',
  'success',
  'denied',
  'canceled',
] as const
export type ProviderState = (typeof providerStates)[number]

/** The provider has sent nothing of a batch in these states and never will, so it can be dissolved. */
export const unsentProviderStates: readonly ProviderState[] = ['waiting', 'denied', 'canceled']

/** Why a batch is not sent or read. */
export const providerProblems = [
  /** No answer, or an error of the provider. */
  'unreachable',
  /** Client id and secret are wrong. */
  'sign_in',
  /** The account may not do this. */
  'not_permitted',
  'rate_limited',
  'no_money',
  /** The provider refused the request or denied the batch. */
  'refused',
  /** The answer to the request got lost, so the batch may be sent already. */
  'answer_lost',
  /** It was released so long ago that the provider would not recognize a repeated request. */
  'too_old',
  /** The request was made from another account. */
  'other_account',
  /** The provider reports something else than what was sent. */
  'differs',
  /** Payouts are stopped, or one of them must not leave now. */
  'held',
  /** The provider has paid an abandoned batch after all. */
  'paid_late',
] as const
export type ProviderProblem = (typeof providerProblems)[number]

/** PayPal remembers a `sender_batch_id` for 30 days. After this many since its release, a batch is not sent any more. */
export const REPEATABLE_DAYS = 25

/** What decides how staff can end a batch whose answer never came. */
interface LostBatch {
  readonly state: BatchState
  readonly providerState: ProviderState | null
  readonly providerProblem: ProviderProblem | null
  readonly providerBatchId: string | null
}

const isLost = ({ providerState, providerBatchId }: LostBatch): boolean =>
  providerState === 'sending' && providerBatchId === null

/** Whether staff may enter the provider's id of the batch. Also after it was abandoned, so that nobody is paid twice unnoticed. */
export function mayEnterId(batch: LostBatch): boolean {
  return isLost(batch) && (batch.state === 'released' || batch.state === 'rejected')
}

/** Whether two people may confirm that the provider does not have the batch. While its request is repeated, nobody can know. */
export function mayAbandon(batch: LostBatch): boolean {
  return isLost(batch) && batch.providerProblem === 'too_old' && mayMoveBatch(batch.state, 'abandon')
}

/** PayPal's balance can be three hours old. An older one says little about what can be paid now. */
export const MAX_BALANCE_AGE_HOURS = 4

/** The money of a provider. */
export interface ProviderCash {
  readonly balance: { readonly amount: Cents; readonly at: Date } | null
  /** Ready payouts and batches that the provider has not begun to pay. */
  readonly toSend: Cents
}

export const cashProblems = ['short', 'unknown', 'old'] as const
export type CashProblem = (typeof cashProblems)[number]

/** Why the provider may soon not be able to pay; null if it has enough money. */
export function cashProblemOf({ balance, toSend }: ProviderCash, now: number): CashProblem | null {
  if (!balance) return 'unknown'
  if (balance.amount < toSend) return 'short'
  return now - balance.at.getTime() > MAX_BALANCE_AGE_HOURS * 3_600_000 ? 'old' : null
}

/** What a sent payout waits for. */
export const waitingItemStates = ['pending', 'unclaimed', 'on_hold'] as const
export type WaitingItemState = (typeof waitingItemStates)[number]

interface Returned {
  /** The code in `words/en/server/payouts.json` that says why. */
  readonly code: string
  /** The money left and came back, so that the batch was not denied as a whole. */
  readonly hadLeft: boolean
}

/** What PayPal's state of an item means for the payout. */
export type ItemOutcome = 'paid' | { readonly waits: WaitingItemState } | Returned

const back = (code: string): Returned => ({ code, hadLeft: true })
const unsent = (code: string): Returned => ({ code, hadLeft: false })

/**
 * By the letters of the state, because reports write "On hold" for ONHOLD.
 * Source: https://developer.paypal.com/api/payments.payouts-batch/v1/definitions/transaction_enum
 */
const itemOutcomes: Readonly<Record<string, ItemOutcome>> = {
  success: 'paid',
  completed: 'paid',
  processed: 'paid',
  new: { waits: 'pending' },
  pending: { waits: 'pending' },
  processing: { waits: 'pending' },
  onhold: { waits: 'on_hold' },
  // PayPal waits 30 days for the owner of the address, and returns the money after that.
  unclaimed: { waits: 'unclaimed' },
  returned: back('RETURNED'),
  refunded: back('REFUNDED'),
  reversed: back('REVERSED'),
  failed: unsent('FAILED'),
  denied: unsent('DENIED'),
  blocked: unsent('BLOCKED'),
  canceled: unsent('CANCELED'),
  cancelled: unsent('CANCELED'),
}

/** Undefined for a state that is not known. */
export function itemOutcomeOf(state: string): ItemOutcome | undefined {
  const letters = state.toLowerCase().replace(/[^a-z]/g, '')
  return Object.hasOwn(itemOutcomes, letters) ? itemOutcomes[letters] : undefined
}

/** Whether the receiver has the money of an item, or still can get it. True for an unknown state. */
export function mayBePaid(state: string): boolean {
  const outcome = itemOutcomeOf(state)
  return typeof outcome !== 'object' || 'waits' in outcome
}

/** Whether the money of an item has left, or still can. True for an unknown state. */
export function mayHaveLeft(state: string): boolean {
  const outcome = itemOutcomeOf(state)
  return mayBePaid(state) || (typeof outcome === 'object' && 'hadLeft' in outcome && outcome.hadLeft)
}
