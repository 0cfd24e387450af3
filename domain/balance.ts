import type { Cents } from './money.ts'

/** Where a reviewer learned the balance of a card. */
export const balanceSources = ['website', 'phone', 'store', 'other'] as const
export type BalanceSource = (typeof balanceSources)[number]

/** The highest balance that a check may record, as a multiple of the face value. A higher one is a typing error. */
const MAX_TIMES_FACE_VALUE = 10

export function maxBalance(faceValue: Cents): Cents {
  return faceValue * MAX_TIMES_FACE_VALUE
}

/** A balance check counts for an approval for this many hours. */
export const BALANCE_CHECK_HOURS = 24
