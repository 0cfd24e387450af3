import type { ReasonCode } from './reasons.ts'
import { adviceFor } from './resubmission.ts'

/**
 * What a failed payout needs: with `account`, another account from the seller, whose money it still is. Nothing is promised for a reason
 * that staff wrote themselves (`written`), which can be anything, nor for one about the card.
 */
export type Failure = 'account' | 'written' | 'card'

/**
 * The reasons about the account. `dead`: it does not work, so it is not paid again. `limit`: it can be paid another day. `name`: it can
 * be paid with the right holder.
 */
const accountRules = {
  payout_account_not_found: 'dead',
  payout_routing_wrong: 'dead',
  payout_name_mismatch: 'name',
  payout_refused: 'dead',
  payout_limit_reached: 'limit',
  payout_account_closed: 'dead',
  payout_details_incomplete: 'dead',
  usage_payout_refused: 'dead',
  usage_payout_name: 'name',
} as const satisfies Partial<Record<ReasonCode, 'dead' | 'limit' | 'name'>>

type AccountReason = keyof typeof accountRules

export const accountReasons = Object.keys(accountRules) as AccountReason[]
export const deadAccountReasons: readonly ReasonCode[] = accountReasons.filter(
  (code) => accountRules[code] === 'dead',
)

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

/** Whether the seller can enter the account that failed again. */
export function mayKeepAccount(reasonCode: ReasonCode, holder: { before: string; now: string }): boolean {
  if (isAboutLimit(reasonCode)) return true
  return isAboutName(reasonCode) && plain(holder.before) !== plain(holder.now)
}

/** Whether the account works and can be paid another day. */
export const isAboutLimit = (reasonCode: ReasonCode | null | undefined): boolean =>
  ruleOf(reasonCode) === 'limit'

/** Whether only the holder of the account was wrong. */
export const isAboutName = (reasonCode: ReasonCode | null): boolean => ruleOf(reasonCode) === 'name'

const ruleOf = (reasonCode: ReasonCode | null | undefined) => accountRules[reasonCode as AccountReason]

const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()
