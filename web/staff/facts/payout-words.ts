import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import type { AccountType } from '#domain/payment-methods.ts'
import {
  type AutomaticState,
  type BatchProblem,
  type BatchState,
  type FileKind,
  fileKindOf,
  type PayoutState,
  type VoidReason,
} from '#domain/payout.ts'
import type { ProviderProblem, WaitingItemState } from '#domain/payout-provider.ts'
import { timeText } from '#web/kit/Time.tsx'
import type { Tone } from '#web/kit/tone.ts'
import { counted as countedOf } from '../list/nouns.ts'

export const fileWords: Readonly<Record<FileKind, string>> = {
  nacha: 'Bank file (NACHA)',
  paypal: 'PayPal file',
  worksheet: 'Worksheet',
}

export const accountTypeWords: Readonly<Record<AccountType, string>> = {
  checking: 'Checking',
  savings: 'Savings',
}

interface StateWords {
  readonly name: string
  readonly tone: Tone
}

export const payoutWords: Readonly<Record<PayoutState, StateWords>> = {
  due: { name: 'Due', tone: 'info' },
  batched: { name: 'In a batch', tone: 'neutral' },
  released: { name: 'Released', tone: 'info' },
  exported: { name: 'Exported', tone: 'info' },
  paid: { name: 'Paid', tone: 'positive' },
  returned: { name: 'Returned', tone: 'negative' },
  void: { name: 'Void', tone: 'neutral' },
}

/** The worksheet of its batch was started, but nobody has recorded this payment yet. */
export function isOnWorksheet({ state, paymentType }: Pick<WirePayout, 'state' | 'paymentType'>): boolean {
  return state === 'exported' && fileKindOf(paymentType) === 'worksheet'
}

const voidWords: Readonly<Record<VoidReason, string>> = {
  undone: 'Decision undone',
  failed: 'Submission failed',
  rechecked: 'Lower balance found',
  cleared: 'Submission cleared',
  file_rejected: 'Bank rejected the file',
  abandoned: 'Batch abandoned: PayPal did not have it',
  taken_back: 'Payment by hand taken back',
}

/** Why a payout is void: the reason that staff gave, or else what happened. Undefined for others. */
export function voidText({ voidReason, voided }: WirePayout): string | undefined {
  return voidReason ? (voided?.reason ?? voidWords[voidReason]) : undefined
}

/** What happened last to a payout, and when. */
export function lastChange(payout: Changed): readonly [does: string, at: string] {
  const { returnedAt, paidAt, sentAt, dueAt } = payout
  if (returnedAt) return ['back', returnedAt]
  if (paidAt) return ['paid', paidAt]
  return sentAt && !isOnWorksheet(payout) ? ['sent', sentAt] : ['due', dueAt]
}

type Changed = Pick<WirePayout, 'state' | 'paymentType' | 'returnedAt' | 'paidAt' | 'sentAt' | 'dueAt'>

export const batchWords: Readonly<Record<BatchState, StateWords>> = {
  open: { name: 'Open', tone: 'info' },
  frozen: { name: 'Frozen', tone: 'caution' },
  released: { name: 'Released', tone: 'info' },
  exported: { name: 'Exported', tone: 'info' },
  settled: { name: 'Settled', tone: 'positive' },
  rejected: { name: 'Rejected', tone: 'negative' },
  void: { name: 'Dissolved', tone: 'neutral' },
}

/** The names of states that differ if a provider sends the batch. */
export const providerBatchWords: Partial<Readonly<Record<BatchState | 'paid', string>>> = {
  exported: 'Sent',
  rejected: 'Abandoned',
}

interface ProblemWords {
  readonly name: string
  readonly whatToDo: string
  /** Instead of it in rows, where it would be repeated. Continues the name. */
  readonly brief?: string
  /** Nobody has to do anything. */
  readonly isCalm?: true
}

/** Why the provider has not sent or not finished a batch. */
export const providerProblemWords: Readonly<Record<ProviderProblem, ProblemWords>> = {
  unreachable: { name: 'PayPal does not answer', whatToDo: 'Nothing to do: it is tried again.' },
  sign_in: {
    name: 'PayPal refuses our credentials',
    whatToDo: 'The operator has to correct PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET or PAYPAL_ENVIRONMENT.',
  },
  not_permitted: {
    name: 'Our PayPal account may not send payouts',
    whatToDo: 'Ask PayPal to allow Payouts for the account, or look there for a restriction.',
  },
  rate_limited: { name: 'PayPal wants us to wait', whatToDo: 'Nothing to do: it is tried again later.' },
  no_money: {
    name: 'There is not enough money in the PayPal account',
    whatToDo: 'Add money. The batch is tried again every few minutes.',
  },
  refused: {
    name: 'PayPal refused the batch',
    whatToDo: 'Nothing was sent. Solve what PayPal names, then dissolve the batch and create it again.',
  },
  answer_lost: {
    name: 'PayPal may have this batch',
    whatToDo:
      'Its answer got lost. The same batch is sent again, which PayPal recognizes, so nobody is paid twice. Do not pay its payouts another way.',
  },
  too_old: {
    name: 'The batch was released too long ago to be sent',
    whatToDo: 'PayPal does not have it. Dissolve it and create it again.',
  },
  other_account: {
    name: 'The batch was sent from another PayPal account',
    whatToDo: 'The operator has to set the earlier PAYPAL_CLIENT_ID again until the batch is settled.',
  },
  differs: {
    name: 'PayPal reports something else than we sent',
    whatToDo: 'What differs was not recorded. Compare the batch with PayPal’s activity.',
  },
  held: { name: 'A payout must not leave now', whatToDo: 'Solve that, or dissolve the batch.' },
  paid_late: {
    name: 'PayPal has paid this batch after all',
    whatToDo:
      'Its new payouts are held, unless they had left. Open each of them: record it as paid if PayPal has paid it, otherwise as not sent.',
  },
}

/** What a sent payout waits for. */
export const waitingWords: Readonly<Record<WaitingItemState, string>> = {
  pending: 'PayPal has not decided about this payout yet',
  unclaimed: 'Nobody has claimed this payout. After 30 days PayPal sends the money back',
  on_hold: 'PayPal reviews this payout',
}

/** Why a payout cannot be in a batch, or leave with its batch. */
export const problemWords: Readonly<Record<BatchProblem, ProblemWords>> = {
  seller_held: {
    name: 'Seller is held',
    whatToDo: 'A manager can make the seller active on the seller’s page.',
  },
  on_hold: {
    name: 'Legal hold',
    whatToDo: 'A manager can lift it on the submission or on the seller’s page.',
  },
  paid_before: {
    name: 'May have been paid before',
    whatToDo: 'An earlier payment was reverted or abandoned. Check whether the money was sent.',
  },
  email_unconfirmed: {
    name: 'Email not confirmed',
    whatToDo: 'The seller has to open the link in the confirmation email.',
  },
  account_dead: {
    name: 'Account Needed',
    brief: 'this one was refused',
    whatToDo: 'The seller is asked for another account.',
  },
  account_new: {
    name: 'Account is new',
    whatToDo: 'On hold for 24 hours: the previous account bounced.',
  },
  routing_number: {
    name: 'Account Needed',
    brief: 'the routing number is wrong',
    whatToDo:
      'The routing number is wrong. The seller’s page asks for another account. Wait for it, or write to the seller.',
  },
  risk_open: {
    name: 'Risk not acknowledged',
    whatToDo: 'The submission says what is wrong. A reviewer can acknowledge it there.',
  },
  balance_unchecked: {
    name: 'Balance not checked',
    whatToDo: 'This shop pays cards of this value only after a recent balance check. Ask a reviewer for one.',
  },
  nothing_to_send: {
    name: 'Nothing to send',
    whatToDo: 'What the seller owed was deducted. It closes itself within a minute.',
  },
  prenote_needed: {
    name: 'Prenote needed',
    whatToDo: 'The account has never been paid by bank transfer. The next file sends a prenote to its bank.',
  },
  prenote_waiting: {
    name: 'Waiting for the prenote',
    whatToDo: 'The bank can still answer that it does not accept payments to the account.',
  },
}

/** Where an automatic payment is, or why a person has to pay. */
const automaticWords: Readonly<Record<Exclude<AutomaticState, 'batched' | 'less'>, ProblemWords>> = {
  asking: {
    name: 'Leaves automatically',
    whatToDo: 'The balance of the card is being checked again.',
    isCalm: true,
  },
  no_answer: {
    name: 'Balance not confirmed',
    whatToDo:
      'The balance service did not confirm the balance right before the payment. Check the card, then pay it in a batch.',
  },
  policy_off: {
    name: 'Policy was turned off',
    whatToDo: 'Its policy changed before the payment. Pay it in a batch.',
  },
  policies_stopped: {
    name: 'Policies were stopped',
    whatToDo: 'They were stopped before the payment. Check the card, then pay it in a batch.',
  },
  payouts_stopped: {
    name: 'Payouts were stopped',
    whatToDo: 'Pay it in a batch when payouts are resumed.',
  },
  payout_limit: {
    name: 'Payout limit reached',
    whatToDo: 'It would have exceeded a payout limit. Pay it in a batch when the limit allows it.',
  },
  second_person_needed: {
    name: 'Two people have to release it',
    whatToDo: 'This shop does not let a batch like this leave without people. Pay it in a batch.',
  },
  payout_not_batchable: {
    name: 'Something kept it back',
    whatToDo: 'It could not be in a batch when it was to be paid. Solve that, then pay it in a batch.',
  },
  failed: {
    name: 'Automatic payment failed',
    whatToDo: 'Pay it in a batch, which says what is wrong.',
  },
}

/**
 * What staff should know of a payout that has not left: why it cannot, that its account has refused money, or why it was not paid
 * automatically.
 */
export function noteOn({ state, problem, automatic, cameBack }: WirePayout): ProblemWords | undefined {
  if (problem) return problemWords[problem]
  if (cameBack) {
    const { at, code, reason } = cameBack
    return {
      name: `Came back ${timeText('en', at, 'day')}${code ? ` (${code})` : ''}`,
      brief: 'an earlier payout to this account',
      whatToDo: `An earlier payout, because: “${reason.replace(/\.$/, '')}”. The reason is about that payment, not the account.`,
    }
  }
  if (state !== 'due' || !automatic || automatic === 'batched' || automatic === 'less') return undefined
  return automaticWords[automatic]
}

/** Warns of payouts to accounts that sent money back, in a selection or a batch. */
export function cameBackWarning(count: number): string {
  return `${counted(count)} ${count === 1 ? 'goes' : 'go'} to an account that sent back another payout`
}

/** Says why a batch cannot be frozen or released. */
export function problemWarning(count: number): string {
  return `${counted(count)} cannot leave with this batch`
}

/** Who made a batch. */
export function batchMaker({ createdBy, policies }: Pick<WireBatch, 'createdBy' | 'policies'>): string {
  if (createdBy !== null) return createdBy
  const [only] = policies.length === 1 ? policies : []
  return only ? `Policy ${only.name} v${only.version}` : 'Automatic'
}

/** Whether a payout can be in a batch. */
export function isReady({ state, problem }: WirePayout): boolean {
  return state === 'due' && problem === null
}

/**
 * Every payout of an exported batch was paid or came back. A batch of only prenotes is paid when somebody records that the
 * bank accepted the file.
 */
export function isPaid({ state, count, paidCount, returnedCount, confirmedAt }: WireBatch): boolean {
  return state === 'exported' && paidCount + returnedCount === count && (count > 0 || confirmedAt !== null)
}

/** 1 -> "1 payout" */
export const counted = (count: number) => countedOf(count, 'payout')

/** "5 payouts", or "5 payouts in 2 payments" if some are put together. */
export function contentsOf(batch: WireBatch): string {
  return `${counted(batch.count)}${inPayments(batch)}`
}

/** " in 2 payments", or nothing if each payout is a payment. */
export function inPayments({ onePerSeller, paymentCount }: WireBatch): string {
  return onePerSeller ? ` in ${countedOf(paymentCount, 'payment')}` : ''
}

/** Whether it leaves alone, or is the first of the payouts that leave as one payment. */
export function leadsPayment({ entry, number }: WirePayout): boolean {
  return entry === null || entry.number === number
}

/** The toast after a change of a batch. */
export const answered = (title: string, batch: WireBatch) => ({
  title,
  description: `Batch ${batch.number}: ${contentsOf(batch)}`,
})
