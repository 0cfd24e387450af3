import type { HistoryName, MoveName } from './submission.ts'

/** The notifications of sellers, and which they can turn off. */

/** What sellers choose for themselves, each for every channel. Everything is on by default. */
export const notificationKinds = ['question', 'offer', 'decision', 'payout', 'reply'] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const channels = ['mail', 'push'] as const
export type Channel = (typeof channels)[number]

/** How sellers learn of an event. */
export interface Notice {
  /** A receipt confirms what the seller has just done, so it is never pushed. */
  readonly kind: NotificationKind | 'receipt'
  /** Mailed whatever the settings say: receipts, corrections, and whether the seller's money arrived. */
  readonly alwaysMailed: boolean
}

const receipt: Notice = { kind: 'receipt', alwaysMailed: true }
const optional = (kind: NotificationKind): Notice => ({ kind, alwaysMailed: false })
const payout: Notice = { kind: 'payout', alwaysMailed: true }

const moveNotices: Readonly<Record<MoveName | 'submit', Notice>> = {
  submit: receipt,
  ask: optional('question'),
  resume: optional('question'),
  answer: receipt,
  offer: optional('offer'),
  rescind: optional('offer'),
  expire: optional('offer'),
  accept: receipt,
  decline: receipt,
  withdraw: receipt,
  start: optional('decision'),
  reject: optional('decision'),
  revert: { kind: 'decision', alwaysMailed: true },
  appeal: receipt,
  approve: payout,
  complete: payout,
  fail: payout,
  /** The event `returned` of the payout tells the seller. */
  return: payout,
}

/** The notice of an entry in a submission's history. An unknown move counts as a decision. */
export function noticeOfMove(name: HistoryName): Notice {
  return name === 'undo' || name === 'unknown' ? optional('decision') : moveNotices[name]
}

const payoutEvents = ['sent', 'returned', 'account_differs'] as const
export type PayoutEvent = (typeof payoutEvents)[number]

/** The notice of an event of a payout. `sent` is optional, because the receipt follows when the money has arrived. */
export function noticeOfPayout(event: PayoutEvent): Notice {
  return event === 'sent' ? optional('payout') : payout
}

/** The notice of a chat reply that the seller has not read. */
export const REPLY_NOTICE = optional('reply')
