import type { ReasonCode } from './reasons.ts'
import { adviceFor } from './resubmission.ts'

/**
 * What a failed payout needs: with `account`, another account from the seller, whose money it still is. Nothing is promised for a reason
 * that staff wrote themselves (`written`), which can be anything, nor for one about the card.
 */
export type Failure = 'account' | 'written' | 'card'

/** The reasons about the account. */
export const accountReasons = [
  'payout_account_not_found',
  'payout_routing_wrong',
  'payout_name_mismatch',
  'payout_refused',
  'payout_limit_reached',
  'payout_account_closed',
  'payout_details_incomplete',
  'usage_payout_refused',
  'usage_payout_name',
] as const satisfies readonly ReasonCode[]

/** Null unless it failed. A code that is newer than this client counts as `written`. */
export function failureOf({
  status,
  reasonCode,
}: {
  status: string
  reasonCode: string | null
}): Failure | null {
  if (status !== 'failed') return null
  if (accountReasons.some((code) => code === reasonCode)) return 'account'
  return adviceFor(reasonCode).code === 'other' ? 'written' : 'card'
}

/** Whether the seller can name the account that failed again, because its limit is for a time or with the right holder. */
export function mayKeepAccount(reasonCode: ReasonCode, holder: { before: string; now: string }): boolean {
  if (reasonCode === 'payout_limit_reached') return true
  return isAboutName(reasonCode) && plain(holder.before) !== plain(holder.now)
}

/** Whether only the holder of the account was wrong. */
export const isAboutName = (reasonCode: ReasonCode | null): boolean =>
  reasonCode === 'payout_name_mismatch' || reasonCode === 'usage_payout_name'

/** The reasons that mean that the account does not work. Another holder or another day would not help, so it is not paid again. */
export const deadAccountReasons: readonly ReasonCode[] = [
  'payout_account_not_found',
  'payout_routing_wrong',
  'payout_refused',
  'payout_account_closed',
  'payout_details_incomplete',
  'usage_payout_refused',
]

const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()
