import { describe, expect, it } from 'vitest'
import { brands, categories, monogram } from './brands.ts'
import { parseDollars, shareOf, toDecimal, toDollars } from './money.ts'
import { brandToSell, quickAmounts, quote } from './quote.ts'

const brand = (slug: string) => brandToSell(slug, brands)
const pays = (slug: string, value: string | number) => {
  const { quote: found } = quote(brand(slug), value)
  return found && toDecimal(found.pays)
}
const problem = (slug: string, value: string | number) => quote(brand(slug), value).problem

describe('money', () => {
  it.each([
    ['25', 2500],
    [25.25, 2525],
    ['.5', 50],
    ['1.10', 110],
    [' 7 ', 700],
    ['1.500', 150],
    ['-3', -300],
    ['99999999.99', 9_999_999_999],
  ])('reads %s', (amount, cents) => expect(parseDollars(amount)).toBe(cents))

  it.each([
    '',
    '.',
    'abc',
    '1e3',
    '1,000',
    '0.001',
    '0x10',
    'NaN',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '100000000',
  ])('does not read %s', (amount) => expect(parseDollars(amount)).toBeUndefined())

  it('is written with two places', () => {
    expect([toDecimal(9300), toDecimal(5), toDecimal(-105)]).toEqual(['93.00', '0.05', '-1.05'])
    expect(toDollars(123_456_789)).toBe('$1,234,567.89')
  })

  it('is rounded half up, where floating point would not', () => {
    expect(shareOf(2525, 8200)).toBe(2071)
    expect(shareOf(10_000, 9300)).toBe(9300)
    expect(shareOf(50, 8900)).toBe(45)
  })
})

describe('the catalogue', () => {
  it('has the 67 brands of the spec, each slug once', () => {
    expect(brands).toHaveLength(67)
    expect(new Set(brands.map(({ value }) => value)).size).toBe(67)
    expect(new Set(brands.map(({ category }) => category))).toEqual(new Set(categories))
  })

  it.each([
    ['amazon', 93, 25, 2000],
    ['target', 91, 50, 2000],
    ['walmart', 91, 50, 2000],
    ['starbucks', 89, 100, 2000],
    ['itunes', 91, 25, 2000],
    ['google_play', 90, 25, 500],
    ['steam', 88, 25, 500],
    ['playstation', 85, 25, 500],
    ['visa', 91, 100, 2000],
    ['mastercard', 91, 200, 2000],
    ['onevanilla', 89, 100, 500],
    ['american_express', 90, 100, 500],
  ])('gives %s the numbers of the spec', (slug, rate, minimum, maximum) => {
    expect(brand(slug)).toMatchObject({ rate: rate * 100, minimum: minimum * 100, maximum: maximum * 100 })
  })

  it('stays within the ranges of the spec', () => {
    for (const { rate, minimum, maximum } of brands) {
      expect(rate).toBeGreaterThanOrEqual(8100)
      expect(rate).toBeLessThanOrEqual(9300)
      expect([2500, 5000, 10_000, 20_000]).toContain(minimum)
      expect(maximum).toBeGreaterThanOrEqual(10_000)
      expect(maximum).toBeLessThanOrEqual(200_000)
    }
    expect(brands.filter(({ popular }) => popular).length).toBeGreaterThanOrEqual(8)
  })

  it('makes a monogram of any name', () => {
    expect(['Amazon', 'Best Buy', 'H&M', 'The Home Depot', "Lowe's", 'PlayStation'].map(monogram)).toEqual([
      'AM',
      'BB',
      'HM',
      'HD',
      'LO',
      'PS',
    ])
  })
})

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
    ['amazon', '24.99', 'Minimum amount for Amazon is $25'],
    ['amazon', '0', 'Minimum amount for Amazon is $25'],
    ['amazon', '-1', 'Minimum amount for Amazon is $25'],
    ['amazon', '2000.01', 'Maximum amount for Amazon is $2000'],
    ['corner_shop', '9.99', 'Minimum amount for Corner Shop is $10'],
    ['corner_shop', '501', 'Maximum amount for Corner Shop is $500'],
  ])('for %s of "%s" says: %s', (slug, value, expected) => expect(problem(slug, value)).toBe(expected))

  it('offers only amounts that the brand takes', () => {
    for (const each of brands) {
      for (const cents of quickAmounts(each)) expect(quote(each, toDecimal(cents)).problem).toBeUndefined()
    }
  })
})
