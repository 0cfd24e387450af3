import type { Cents } from '#domain/money.ts'
import { invalid, type Refusal } from '#server/http/refusal.ts'

/** What one line of a file says about a payout. */
export interface ResultLine {
  /** From 1. */
  readonly line: number
  /** The line as shown to the person who imports it, without the account. */
  readonly shown: string
  /** The result, or why the line cannot be applied. */
  readonly result: PayoutResult | { readonly why: string }
}

export type PayoutResult = {
  /** The same report has the same key in every file. */
  readonly key: string
  readonly sentBy: 'nacha' | 'paypal'
  /** The number of the payout; a bank knows only its last seven digits. */
  readonly payoutNumber: number
  /** Undefined if the file does not say. */
  readonly amount: Cents | undefined
  /** Of a bank's entry. */
  readonly individual?: Individual
} & (
  | { readonly kind: 'returned'; readonly code: string }
  /** The bank has other details of the account on file. */
  | { readonly kind: 'changed'; readonly code: string; readonly correction: string }
  | { readonly kind: 'paid'; readonly reference: string | undefined }
)

/** The payee of an entry in an ACH file. */
export interface Individual {
  readonly id: string
  readonly name: string
}

/** Maximum lines of a file. A full batch of 10,000 payouts that all come back has 20,004. */
export const MAX_LINES = 25_000

export function malformed(line: number): Refusal {
  return invalid([{ path: 'file', code: 'results_malformed', params: { line } }])
}

export function tooManyLines(): Refusal {
  return invalid([{ path: 'file', code: 'results_too_long', params: { maximum: MAX_LINES } }])
}
