import type { Cents } from './money.ts'

/** What a line of a bank statement is: a batch of bank transfers, a fee, or other business of the shop's account. */

/** A line of a statement on which money left. */
export interface Debit {
  /** The booking day, like 2026-11-24. */
  readonly day: string
  /** In cents, above zero. */
  readonly amount: Cents
  readonly text: string
  /** The file says so. */
  readonly isFee: boolean
}

/** A batch that was exported and is not settled. */
export interface SentBatch {
  readonly id: string
  readonly total: Cents
  /** The day on which it was exported. */
  readonly sentOn: string
}

export const debitKinds = ['batch', 'fee'] as const
export type DebitKind = (typeof debitKinds)[number]

export interface Suggestion {
  /** `choose`: a person has to say which batch it is, or whether it is one. Null: other business. */
  readonly kind: DebitKind | 'choose' | null
  /** The batches that it can be. */
  readonly batchIds: readonly string[]
}

/** A bank books the file of a batch within this many days after its export. */
export const BOOKED_WITHIN_DAYS = 10

/** In cents. A larger amount with the word "fee" is more likely an invoice. */
const MAX_SUGGESTED_FEE: Cents = 50_000

const FEE_WORDS = /\b(fees?|charges?|svc|service ch(ar)?ge?)\b/i

/**
 * What each line probably is. A batch is suggested if it is the only one with this total that left at most ten days before, and if no
 * other line can be the same batch.
 */
export function suggestDebits(debits: readonly Debit[], batches: readonly SentBatch[]): Suggestion[] {
  const byTotal = Map.groupBy(batches, ({ total }) => total)
  const found = debits.map(({ day, amount }) =>
    (byTotal.get(amount) ?? []).filter(({ sentOn }) => isBookedInTime(sentOn, day)).map(({ id }) => id),
  )
  const claims = new Map<string, number>()
  for (const id of found.flat()) claims.set(id, (claims.get(id) ?? 0) + 1)
  return debits.map((debit, index) => {
    const batchIds = found[index] ?? []
    const [only = '', ...others] = batchIds
    if (batchIds.length === 0) return { kind: seemsFee(debit) ? 'fee' : null, batchIds }
    const isCertain = others.length === 0 && claims.get(only) === 1 && !seemsFee(debit)
    return { kind: isCertain ? 'batch' : 'choose', batchIds }
  })
}

function isBookedInTime(sentOn: string, day: string): boolean {
  const days = (Date.parse(day) - Date.parse(sentOn)) / 86_400_000
  return days >= 0 && days <= BOOKED_WITHIN_DAYS
}

function seemsFee({ amount, text, isFee }: Debit): boolean {
  return isFee || (amount <= MAX_SUGGESTED_FEE && FEE_WORDS.test(text))
}
