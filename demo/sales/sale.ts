import type { BalanceSource } from '#domain/balance.ts'
import type { ReasonCode } from '#domain/reasons.ts'
import type { SellerName, StaffName } from '../people.ts'

/**
 * A move of a submission, `hours` after the previous step. Amounts are dollars. Staff also check the card's balance, and hold
 * its seller.
 */
export type Step =
  | readonly [hours: number, by: StaffName, to: 'rejected' | 'failed', reason: ReasonCode]
  | readonly [hours: number, by: StaffName, to: 'under_review', question: string]
  | readonly [hours: number, by: StaffName, to: 'processing' | 'completed']
  | readonly [hours: number, by: StaffName, to: 'offered', reason: ReasonCode, amount: string]
  | readonly [hours: number, by: StaffName, action: 'check', source: BalanceSource, amount: string]
  | readonly [hours: number, by: StaffName, action: 'hold', reason: string]
  | readonly [hours: number, by: 'seller', action: 'answer' | 'appeal', text: string]
  | readonly [hours: number, by: 'seller', action: 'accept', amount: string]
  | readonly [hours: number, by: 'seller', action: 'decline' | 'withdraw']

export interface Sale {
  readonly daysAgo: number
  readonly seller: SellerName
  readonly brand: string
  /** Dollars. */
  readonly value: string
  readonly notes?: string
  readonly condition?: 'partially_used'
  readonly digital?: true
  /** A UUID. Cards with the same one were submitted together. */
  readonly saleId?: string
  /** The index of another sale with the same card. */
  readonly sameCardAs?: number
  readonly steps?: readonly Step[]
  /** The seller's review: stars and comment. */
  readonly review?: readonly [rating: number, comment?: string]
}
