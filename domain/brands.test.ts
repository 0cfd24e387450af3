import { describe, expect, it } from 'vitest'
import { brandKey, brands, categories, listedBrand } from './brands.ts'
import { monogram } from './monogram.ts'

const brand = (slug: string) => brands.find(({ value }) => value === slug)

describe('the catalog', () => {
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
  ])('has the numbers of the spec for %s', (slug, rate, minimum, maximum) => {
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

  it('has no two brands with the same spelling', () => {
    const spellings = brands.map(({ value, name }) => new Set([brandKey(value), brandKey(name)]))
    const all = spellings.flatMap((keys) => [...keys])
    expect(new Set(all).size).toBe(all.length)
  })

  it.each([
    ['belk_', 'belk'],
    ['starbucks_', 'starbucks'],
    ['STARBUCKS', 'starbucks'],
    ['star_bucks', 'starbucks'],
    ['visa_gift_card', 'visa'],
    ['visagiftcard', 'visa'],
    ['visa_e_gift', 'visa'],
    ['prepaid_visa_egift_card', 'visa'],
    ['master_card', 'mastercard'],
    ['Master Card gift card', 'mastercard'],
    ['prepaid_mastercard', 'mastercard'],
    ['mastercardgiftcard', 'mastercard'],
    ['one_vanilla', 'onevanilla'],
    ['Bath & Body Works', 'bath_body_works'],
    ['bath_and_body_works', 'bath_body_works'],
    ['Crate + Barrel', 'crate_barrel'],
    ['Macy’s', 'macys'],
    ["Kohl's e-Gift Card", 'kohls'],
    ['  Béd  Bath—Beyond ', 'bed_bath_beyond'],
    ['amazon.com', 'amazon'],
    ['hotels', 'hotels_com'],
    ['home_depot', 'home_depot'],
    ['the home depot', 'home_depot'],
    ['h_and_m', 'hm'],
    ['ulta_beauty', 'ulta'],
    ['e_bay', 'ebay'],
  ])('recognizes "%s" as %s', (spelling, slug) => {
    expect(listedBrand(spelling, brands)?.value).toBe(slug)
  })

  it.each([
    'corner_shop',
    'gift_card',
    'the_card',
    '_',
    '',
    'master',
    'master_chef',
    'targets',
    'visas',
    'Disney+',
  ])('finds no listed brand for "%s"', (slug) => expect(listedBrand(slug, brands)).toBeUndefined())

  it('gives no two brands the same letters', () => {
    expect(new Set(brands.map(({ name }) => monogram(name))).size).toBe(brands.length)
  })

  it('makes a monogram of any name', () => {
    expect(monogram('constructor')).toBe('CO')
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
