import { expect, it } from 'vitest'
import { accountReasons, failureOf, mayKeepAccount } from './failure.ts'
import { reasonCategoriesFor } from './reasons.ts'

const codes = reasonCategoriesFor('fail').flatMap(({ reasons }) => reasons)
const kindOf = (reasonCode: string | null) => failureOf({ status: 'failed', reasonCode })

it('tells a failure of the account from one of the card, and from what staff wrote', () => {
  const ofAccount = [
    ...codes.filter((code) => code.startsWith('payout_')),
    'usage_payout_refused',
    'usage_payout_name',
  ]
  expect(codes.filter((code) => kindOf(code) === 'account')).toEqual(ofAccount)
  expect(accountReasons).toEqual(ofAccount)
  expect(codes.filter((code) => kindOf(code) === 'written')).toEqual([])
  expect([null, 'free_text', 'image_upside_down'].map(kindOf)).toEqual(['written', 'written', 'written'])
  expect(failureOf({ status: 'rejected', reasonCode: 'payout_refused' })).toBeNull()
})

it('takes the same account again only after its limit, or with another holder after a wrong name', () => {
  const same = { before: 'Sally Seller', now: ' sally  SELLER' }
  const other = { before: 'Sally Seller', now: 'Sarah Seller' }
  expect(mayKeepAccount('payout_limit_reached', same)).toBe(true)
  expect(mayKeepAccount('payout_name_mismatch', same)).toBe(false)
  expect(mayKeepAccount('payout_name_mismatch', other)).toBe(true)
  expect(mayKeepAccount('payout_account_closed', other)).toBe(false)
})
