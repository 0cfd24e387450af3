import type { ReasonCode } from './reasons.ts'
import { adviceFor } from './resubmission.ts'

/**
 * What a failed payout needs: another account from the seller, or a corrected amount from us. The money is still the seller's.
 * Nothing is promised for a reason that staff wrote themselves (`written`), which can be anything, nor for one about the card.
 */
export type Failure = SafeFailure | 'written' | 'card'
export type SafeFailure = 'account' | 'amount'

const safeFailures: Readonly<Partial<Record<ReasonCode, SafeFailure>>> = {
  payout_account_not_found: 'account',
  payout_routing_wrong: 'account',
  payout_name_mismatch: 'account',
  payout_refused: 'account',
  payout_limit_reached: 'account',
  payout_account_closed: 'account',
  payout_details_incomplete: 'account',
  payout_amount_wrong: 'amount',
  usage_payout_refused: 'account',
  usage_payout_name: 'account',
}

/** Null unless it failed. A code that is newer than this client counts as `written`. */
export function failureOf({
  status,
  reasonCode,
}: {
  status: string
  reasonCode: string | null
}): Failure | null {
  if (status !== 'failed') return null
  const safe = safeFailures[(reasonCode ?? '') as ReasonCode]
  return safe ?? (adviceFor(reasonCode).code === 'other' ? 'written' : 'card')
}

/** The reasons of these failures. */
export const reasonsOf = (...failures: readonly SafeFailure[]): string[] =>
  Object.entries(safeFailures).flatMap(([code, failure]) => (failures.includes(failure) ? [code] : []))

/** Whether the seller can name the account that failed again, because its limit is for a time or with the right holder. */
export function mayKeepAccount(reasonCode: ReasonCode, holder: { before: string; now: string }): boolean {
  if (reasonCode === 'payout_limit_reached') return true
  const isAboutName = reasonCode === 'payout_name_mismatch' || reasonCode === 'usage_payout_name'
  return isAboutName && plain(holder.before) !== plain(holder.now)
}

const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()
