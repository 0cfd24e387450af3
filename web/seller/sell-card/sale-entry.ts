import type { Brand } from '#domain/brands.ts'
import { balanceQuote, type Quote } from '#domain/quote.ts'
import type { RateChange } from '#web/cards/rate-change.ts'
import type { Photos } from '#web/kit/photos/use-photos.ts'
import type { KeptDraft } from './use-drafts.ts'
import type { Answered, Attempt } from './use-submissions.ts'

/** A card that is being sold. */
export interface CardToSell {
  /** Of its draft and its photos. */
  name: string
  /** The idempotency key of a new draft. By default a random one. */
  key?: string
  brand: Brand
  /** For its whole value. Undefined while that is no valid amount. */
  quote: Quote | undefined
  rateChange: RateChange | undefined
  acceptRate: () => void
  /** The rejected submission of the same card. */
  resubmissionOf?: string | undefined
  /** Its masked number, if the numbers need not be typed again. */
  keptNumber?: string | undefined
  /** The rejected submission had a PIN. */
  pinGiven?: boolean | undefined
  /** The server has accepted it. */
  isSent?: boolean
  onAccepted?: (answer: Answered) => void
}

/** A card with what the seller has entered for it. */
export interface SaleEntry extends CardToSell {
  kept: KeptDraft
  photos: Photos
  /** The last attempt to submit it. */
  attempt: Attempt | undefined
}

export type QuotedEntry = SaleEntry & { quote: Quote }

export const isAccepted = ({ isSent, attempt }: SaleEntry) => isSent || attempt?.state === 'accepted'

/** The name of the button that folds the open card of several. */
export const OPEN_CARD = 'openCard'

/** What is left on a partially used card. Asked for again if the card's value has changed since. */
export function balanceOf({ kept: { draft }, quote }: QuotedEntry) {
  if (draft.cardCondition !== 'partially_used') return undefined
  const typed = draft.balanceOf === quote.faceValue ? draft.balance : ''
  return { typed, ...balanceQuote(quote, typed) }
}

/** A new number was typed without the PIN that the rejected submission had. Sent like this, the card has no PIN. */
export const losesPin = ({ pinGiven, kept: { draft } }: SaleEntry) =>
  pinGiven === true && draft.cardNumber.trim() !== '' && draft.securityCode.trim() === ''

/** The quote for what is on the card. Undefined while the balance of a partially used card is missing or wrong. */
export function priceOf(entry: QuotedEntry): Quote | undefined {
  const balance = balanceOf(entry)
  return balance ? balance.quote : entry.quote
}

/** How far the upload is. */
export interface UploadState {
  /** The card that is sent, counted from 1. */
  number: number
  total: number
  /** The share of that card that was sent, 0 to 1. */
  share: number
  /** Stops the upload. Undefined once everything is uploaded. */
  stop?: (() => void) | undefined
}

/** Undefined if nothing is being sent. Also defined after the last answer, until the confirmation is shown. */
export function progressOf(entries: readonly SaleEntry[]): UploadState | undefined {
  const total = entries.length
  if (entries.every(isAccepted)) return { number: total, total, share: 1 }
  const running = entries.flatMap(({ attempt }, index) =>
    attempt?.state === 'sending' || attempt?.state === 'waiting' ? [{ attempt, number: index + 1 }] : [],
  )
  const [now, ...later] = running.sort((a, b) => b.attempt.share - a.attempt.share)
  if (!now) return undefined
  const { share, stop } = now.attempt
  return { number: now.number, total, share, stop: share < 1 || later.length > 0 ? stop : undefined }
}
