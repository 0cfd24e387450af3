import type { Cents } from './money.ts'

/** Where a reviewer learned the balance of a card. */
export const staffBalanceSources = ['website', 'phone', 'store', 'other'] as const
/** `connector`: the operator's own service. */
export const balanceSources = [...staffBalanceSources, 'connector'] as const
export type BalanceSource = (typeof balanceSources)[number]

/** What came of asking the operator's service for a balance. */
export const balanceOutcomes = [
  'ok',
  'not_found',
  'blocked',
  'unknown',
  // It gave no answer that counts.
  'timeout',
  'unreachable',
  'no_host',
  'address_refused',
  'certificate',
  'signature_refused',
  'http_error',
  'bad_answer',
  /** The server stopped too often while it asked. */
  'interrupted',
  /** There was nothing to ask anymore: the card was decided or erased, or the connector is gone. */
  'skipped',
] as const
export type BalanceOutcome = (typeof balanceOutcomes)[number]

/** Nothing waits longer than this many seconds for the service: two calls of ten seconds, and what is around them. */
export const BALANCE_WAIT_SECONDS = 25

/** The highest balance that a check may record, as a multiple of the face value. A higher one is a typing error. */
const MAX_TIMES_FACE_VALUE = 10

export function maxBalance(faceValue: Cents): Cents {
  return faceValue * MAX_TIMES_FACE_VALUE
}

/** A balance check counts for an approval for this many hours. */
export const BALANCE_CHECK_HOURS = 24
