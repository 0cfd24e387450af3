import type { Cents } from './money.ts'
import type { SellerState } from './seller-state.ts'

/** Policies approve cards without a person. What a policy can say is fields, so that everybody can read it. */

/** `shadow`: only records what it would have decided. */
export const policyModes = ['off', 'shadow', 'on'] as const
export type PolicyMode = (typeof policyModes)[number]

/** `would_approve` is the outcome in shadow mode. */
export const policyOutcomes = ['approved', 'would_approve', 'person'] as const
export type PolicyOutcome = (typeof policyOutcomes)[number]

/** The fields of a policy that decide. */
export interface PolicyTerms {
  /** Slugs. */
  readonly brands: readonly string[]
  readonly maxFaceValue: Cents
  readonly minAccountDays: number
  readonly minCompletedSales: number
  /** A card must have been here for this long. */
  readonly waitMinutes: number
  /** The prices that policies approve in one day of the shop, for one seller and for all. */
  readonly sellerLimit: Cents
  readonly shopLimit: Cents
  /** Of the cards that it could approve, the percentage that a person decides on. */
  readonly samplePercent: number
}

export const MAX_WAIT_MINUTES = 24 * 60
export const MIN_SAMPLE_PERCENT = 5
/** A balance from the connector counts for this many minutes. */
export const FRESH_BALANCE_MINUTES = 10
/** A rejected, failed or bad card of the seller counts for this many days. */
export const FAILED_CARD_DAYS = 180
/** A new payout account, browser, password or email address counts for this many hours. */
export const NEW_HOURS = 72

/** What is known about a card and its seller. */
export interface PolicyFacts {
  readonly brand: string
  readonly faceValue: Cents
  readonly accountAgeDays: number
  readonly completedSales: number
  readonly isEmailConfirmed: boolean
  /** A rejected, failed or bad card within `FAILED_CARD_DAYS`. */
  readonly hasFailedCard: boolean
  readonly hasRisk: boolean
  readonly sellerState: SellerState
  /** A hold on the card or on its seller. */
  readonly isOnHold: boolean
  /** Within `NEW_HOURS`. */
  readonly isNewAccount: boolean
  readonly isNewBrowser: boolean
  readonly hasNewCredentials: boolean
  /** The connector's latest balance. */
  readonly balance: Cents | null
  /** Since that balance, another check was lower, or the connector no longer confirmed the card. */
  readonly isBalanceDoubted: boolean
  readonly balanceAgeMinutes: number | null
}

type Condition = (
  facts: PolicyFacts,
  terms: Pick<PolicyTerms, 'brands' | 'maxFaceValue' | 'minAccountDays' | 'minCompletedSales'>,
) => boolean

/**
 * What a card must meet, in the order in which it is checked. The texts are in words/en/staff/policies.json: `needs.<code>` and
 * `stopped.<code>`.
 */
const conditionTable = {
  brand: ({ brand }, { brands }) => brands.includes(brand),
  face_value: ({ faceValue }, { maxFaceValue }) => faceValue <= maxFaceValue,
  account_age: ({ accountAgeDays }, { minAccountDays }) => accountAgeDays >= minAccountDays,
  completed_sales: ({ completedSales }, { minCompletedSales }) => completedSales >= minCompletedSales,
  email_confirmed: ({ isEmailConfirmed }) => isEmailConfirmed,
  no_failed_card: ({ hasFailedCard }) => !hasFailedCard,
  no_risk: ({ hasRisk }) => !hasRisk,
  seller_active: ({ sellerState }) => sellerState === 'active',
  no_hold: ({ isOnHold }) => !isOnHold,
  known_account: ({ isNewAccount }) => !isNewAccount,
  known_browser: ({ isNewBrowser }) => !isNewBrowser,
  same_credentials: ({ hasNewCredentials }) => !hasNewCredentials,
  balance: ({ balance, isBalanceDoubted, faceValue }) =>
    balance !== null && balance >= faceValue && !isBalanceDoubted,
  // Last, so that the connector is asked again only about cards that meet all the others.
  fresh_balance: ({ balanceAgeMinutes }) =>
    balanceAgeMinutes !== null && balanceAgeMinutes <= FRESH_BALANCE_MINUTES,
} as const satisfies Record<string, Condition>

export type ConditionCode = keyof typeof conditionTable
export const conditionCodes = Object.keys(conditionTable) as [ConditionCode, ...ConditionCode[]]
const conditions: Readonly<Record<ConditionCode, Condition>> = conditionTable

/** The conditions with a field of the policy. The others always apply. */
export const conditionFields: Readonly<Partial<Record<ConditionCode, keyof PolicyTerms>>> = {
  brand: 'brands',
  face_value: 'maxFaceValue',
  account_age: 'minAccountDays',
  completed_sales: 'minCompletedSales',
}

/** The first condition that is not met. */
export function failedCondition(
  facts: PolicyFacts,
  terms: Parameters<Condition>[1],
): ConditionCode | undefined {
  return conditionCodes.find((code) => !conditions[code](facts, terms))
}

/** What stops a card that meets every condition. */
export const stopCodes = ['stopped', 'seller_limit', 'shop_limit', 'sample'] as const
export const policyReasons = [...conditionCodes, ...stopCodes] as const
/** Why a person decides. */
export type PolicyReason = (typeof policyReasons)[number]

/** What policies have approved today, in cents, before this card. */
export interface ApprovedToday {
  readonly seller: Cents
  readonly shop: Cents
}

export function exceededPolicyLimit(
  { sellerLimit, shopLimit }: Pick<PolicyTerms, 'sellerLimit' | 'shopLimit'>,
  price: Cents,
  today: ApprovedToday,
): 'seller_limit' | 'shop_limit' | undefined {
  if (today.seller + price > sellerLimit) return 'seller_limit'
  if (today.shop + price > shopLimit) return 'shop_limit'
  return undefined
}
