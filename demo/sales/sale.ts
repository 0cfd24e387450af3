import { reasonCategories } from '#domain/reasons.ts'
import type { Status } from '#domain/submission.ts'
import type { SellerName, StaffName } from '../people.ts'

/** Something that happens to a submission, so many hours after what came before it. */
export type Step =
  | readonly [hours: number, by: StaffName, to: Status, words?: string]
  | readonly [hours: number, by: 'seller', deed: 'answer' | 'withdraw', words?: string]

export interface Sale {
  /** Days ago. */
  readonly ago: number
  readonly seller: SellerName
  readonly brand: string
  /** Dollars. */
  readonly value: string
  readonly notes?: string
  readonly condition?: 'partially_used'
  readonly digital?: true
  /** The card of another sale, tried once more. */
  readonly sameCardAs?: number
  readonly steps?: readonly Step[]
  /** What the seller thought of it in the end: stars, words. */
  readonly review?: readonly [rating: number, comment?: string]
}

/** The reason with this code, as staff choose it from the list. */
export function reason(code: string): string {
  const found = reasonCategories.flatMap(({ reasons }) => reasons).find((one) => one.code === code)
  if (!found) throw new Error(`There is no reason ${code}`)
  return found.text
}
