import { describe, expect, it } from 'vitest'
import {
  type ConditionCode,
  conditionCodes,
  exceededPolicyLimit,
  failedCondition,
  type PolicyFacts,
} from './policy.ts'

const terms = { brands: ['amazon'], maxFaceValue: 10_000, minAccountDays: 30, minCompletedSales: 2 }

/** A card that just meets every condition. */
const good: PolicyFacts = {
  brand: 'amazon',
  faceValue: 10_000,
  accountAgeDays: 30,
  completedSales: 2,
  isEmailConfirmed: true,
  hasFailedCard: false,
  hasRisk: false,
  sellerState: 'active',
  isOnHold: false,
  isNewAccount: false,
  isNewBrowser: false,
  hasNewCredentials: false,
  balance: 10_000,
  isBalanceDoubted: false,
  balanceAgeMinutes: 10,
}

/** What each condition refuses. */
const failures: Readonly<Record<ConditionCode, readonly Partial<PolicyFacts>[]>> = {
  brand: [{ brand: 'target' }],
  face_value: [{ faceValue: 10_001 }],
  account_age: [{ accountAgeDays: 29 }],
  completed_sales: [{ completedSales: 1 }],
  email_confirmed: [{ isEmailConfirmed: false }],
  no_failed_card: [{ hasFailedCard: true }],
  no_risk: [{ hasRisk: true }],
  seller_active: [{ sellerState: 'held' }, { sellerState: 'blocked' }],
  no_hold: [{ isOnHold: true }],
  known_account: [{ isNewAccount: true }],
  known_browser: [{ isNewBrowser: true }],
  same_credentials: [{ hasNewCredentials: true }],
  balance: [{ balance: 9_999 }, { balance: null }, { isBalanceDoubted: true }],
  fresh_balance: [{ balanceAgeMinutes: 10.01 }, { balanceAgeMinutes: null }],
}

describe('the conditions of a policy', () => {
  it('let a card pass that just meets all of them', () => {
    expect(failedCondition(good, terms)).toBeUndefined()
  })

  it.each(conditionCodes.flatMap((code) => failures[code].map((facts) => [code, facts] as const)))(
    'stop a card by %s: %j',
    (code, facts) => {
      expect(failedCondition({ ...good, ...facts }, terms)).toBe(code)
    },
  )

  it('name the first one, and the age of the balance last', () => {
    const all = Object.assign({}, ...conditionCodes.map((code) => failures[code][0]))
    expect(failedCondition({ ...good, ...all }, terms)).toBe('brand')
    expect(conditionCodes.at(-1)).toBe('fresh_balance')
  })
})

it.each([
  [{ seller: 0, shop: 0 }, undefined],
  [{ seller: 50, shop: 250 }, undefined],
  [{ seller: 51, shop: 251 }, 'seller_limit'],
  [{ seller: 50, shop: 251 }, 'shop_limit'],
])('with %j approved today, a price of 50 exceeds %s', (today, exceeded) => {
  expect(exceededPolicyLimit({ sellerLimit: 100, shopLimit: 300 }, 50, today)).toBe(exceeded)
})
