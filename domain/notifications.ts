import type { HistoryName } from './submission.ts'

/** What we mail and push, and what sellers can turn off. */

/** What sellers choose for themselves, each for every channel. Everything is on by default. */
export const notificationKinds = ['question', 'offer', 'decision', 'payout', 'reply'] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const channels = ['mail', 'push'] as const
export type Channel = (typeof channels)[number]

/** How a letter is sent: the setting that turns it off, for each channel. */
interface Delivery {
  readonly mail: NotificationKind | 'always'
  readonly push: NotificationKind | 'never'
}

const always: Delivery = { mail: 'always', push: 'never' }
const optional = (kind: NotificationKind): Delivery => ({ mail: kind, push: kind })
/** Corrections, and whether the seller's money arrived. */
const important = (kind: NotificationKind): Delivery => ({ mail: 'always', push: kind })

const payoutEvents = {
  /** Optional, because the receipt follows when the money has arrived. */
  sent: optional('payout'),
  returned: important('payout'),
  account_differs: important('payout'),
}
export type PayoutEvent = keyof typeof payoutEvents

/** Entries of a submission's history. What sellers do themselves is confirmed by a receipt, which is never pushed. */
const historyEntries: Readonly<Record<HistoryName, Delivery>> = {
  submit: always,
  ask: optional('question'),
  resume: optional('question'),
  answer: always,
  offer: optional('offer'),
  rescind: optional('offer'),
  expire: optional('offer'),
  accept: always,
  decline: always,
  withdraw: always,
  start: optional('decision'),
  reject: optional('decision'),
  revert: important('decision'),
  appeal: always,
  approve: important('payout'),
  complete: important('payout'),
  fail: important('payout'),
  return: always,
  recheck: important('decision'),
  /** Not sent: `payoutAccountChanged` says it. */
  change_account: always,
  undo: { mail: 'decision', push: 'never' },
  unknown: { mail: 'decision', push: 'never' },
}

/** Every kind of mail that the server sends, and what is pushed with it. docs/operating.md says when each is sent. */
export const letterKinds = {
  ...historyEntries,
  ...payoutEvents,
  saleReceipt: always,
  reply: optional('reply'),
  confirmEmail: always,
  passwordReset: always,
  passwordChanged: always,
  passkeyAdded: always,
  passkeyRemoved: always,
  secondFactorOn: always,
  secondFactorOff: always,
  recoveryCodesRenewed: always,
  recoveryCodeUsed: always,
  wrongCodes: always,
  emailChanged: always,
  emailFellBack: always,
  emailUndone: always,
  paymentMethodAdded: always,
  paymentMethodDefault: always,
  paymentMethodRemoved: always,
  payoutAccountChanged: always,
  dataDownloaded: always,
  accountDeleted: always,
  invitation: always,
}
export type LetterKind = keyof typeof letterKinds
