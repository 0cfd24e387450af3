import { expect, it } from 'vitest'
import { batchProblem, closesItself, type PrenoteState, releasedProblem } from './payout.ts'

const ready = {
  amount: 9300,
  routingNumberSuspect: false,
  isEmailConfirmed: true,
  isSellerPaid: true,
  isOnHold: false,
  isPaidBefore: false,
  isAccountDead: false,
  isAccountNew: false,
  hasOpenRisk: false,
  needsBalanceCheck: false,
  prenote: 'none',
} as const

it.each<[PrenoteState, string | undefined]>([
  ['none', undefined],
  ['needed', 'prenote_needed'],
  ['waiting', 'prenote_waiting'],
])('a payout whose prenote is %s has the problem %s, which stops no released batch', (prenote, problem) => {
  expect(batchProblem({ ...ready, prenote })).toBe(problem)
  expect(releasedProblem({ ...ready, prenote })).toBeUndefined()
})

it('a payout that cannot leave for another reason, or sends nothing, needs no prenote yet', () => {
  const prenote = 'needed'
  expect(batchProblem({ ...ready, prenote, isAccountDead: true })).toBe('account_dead')
  expect(batchProblem({ ...ready, prenote, isAccountNew: true })).toBe('account_new')
  expect(batchProblem({ ...ready, prenote, amount: 0 })).toBe('nothing_to_send')
  expect(closesItself({ ...ready, prenote, amount: 0 })).toBe(true)
})
