import { describe, expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { brands } from './brands.ts'
import { toDecimal } from './money.ts'
import { balanceQuote, brandToSell, quickAmounts, quote, suggestedOffer } from './quote.ts'

const brand = (slug: string) => brandToSell(slug, brands)
const pays = (slug: string, value: string | number) => {
  const { quote: found } = quote(brand(slug), value)
  return found && toDecimal(found.pays)
}
const { en } = readWords({ product: 'Unspent' })
const errorOf = (slug: string, value: string | number) => {
  const { problem } = quote(brand(slug), value)
  return problem && en(`fields.${problem.code}`, problem.params)
}

describe('a quote', () => {
  it.each([
    ['amazon', 100, '93.00'],
    ['itunes', '50', '45.50'],
    ['steam', '25', '22.00'],
    ['jcpenney', '25.25', '20.71'],
    ['corner_shop', '10', '8.50'],
  ])('for %s of %s is %s', (slug, value, expected) => expect(pays(slug, value)).toBe(expected))

  it.each([
    ['', '100', 'Please select a valid brand'],
    ['No Brand!', '100', 'Invalid brand selected'],
    ['amazon', '', 'Please enter a valid amount'],
    ['amazon', 'abc', 'Please enter a valid amount'],
    ['amazon', '100.555', 'Use at most two decimals'],
    ['amazon', '1.2.345', 'Please enter a valid amount'],
    ['amazon', '24.99', 'Minimum amount for Amazon is $25'],
    ['amazon', '0', 'Minimum amount for Amazon is $25'],
    ['amazon', '-1', 'Minimum amount for Amazon is $25'],
    ['amazon', '2000.01', 'Maximum amount for Amazon is $2000'],
    ['corner_shop', '9.99', 'Minimum amount for Corner Shop is $10'],
    ['corner_shop', '501', 'Maximum amount for Corner Shop is $500'],
  ])('for %s of "%s" says: %s', (slug, value, expected) => expect(errorOf(slug, value)).toBe(expected))

  it('offers only amounts within the brand’s limits', () => {
    for (const each of brands) {
      for (const cents of quickAmounts(each)) expect(quote(each, toDecimal(cents)).problem).toBeUndefined()
    }
  })
})

it.each([
  ['60', 5_580, undefined],
  ['100', 9_300, undefined],
  ['100.01', undefined, 'balance_above_value'],
  ['5000', undefined, 'amount_above_maximum'],
  ['10', undefined, 'amount_below_minimum'],
  ['', undefined, 'amount_invalid'],
])('for "%s" left on a $100 card we pay %s', (left, pays, code) => {
  const { quote: card } = quote(brand('amazon'), 100)
  const result = card && balanceQuote(card, left)
  expect([result?.quote?.pays, result?.problem?.code]).toEqual([pays, code])
})

it.each([
  ['80.00', 7_440],
  ['25.25', 2_348],
  ['100.00', undefined],
  ['120.00', undefined],
  ['0.00', undefined],
  [undefined, undefined],
])('for a $100 card at 93 % with a balance of %s the suggested offer is %s', (amount, expected) => {
  const balanceCheck = amount === undefined ? null : { amount }
  expect(suggestedOffer({ denomination: '100.00', discountPercentage: '7.00', balanceCheck })).toBe(expected)
})
