import { BRAND_SLUG, type Brand, listedBrand, unlistedBrand } from './brands.ts'
import { type BasisPoints, type Cents, parseDollars, shareOf, toPlainDollars } from './money.ts'

export interface Quote {
  readonly brand: Brand
  readonly faceValue: Cents
  readonly pays: Cents
  readonly rate: BasisPoints
  /** 100 % − rate. */
  readonly discount: BasisPoints
}

export type QuoteResult =
  | { readonly quote: Quote; readonly problem?: undefined; readonly at?: undefined }
  | { readonly problem: string; readonly at: 'brand' | 'denomination'; readonly quote?: undefined }

/** How long a displayed quote is honored after the brand's terms change. */
export const QUOTE_HOLDS_MINUTES = 15

export const quoteProblems = {
  noBrand: 'Please select a valid brand',
  unknownBrand: 'Invalid brand selected',
  notANumber: 'Please enter a valid amount',
  belowMinimum: (brand: Brand) => `Minimum amount for ${brand.name} is $${toPlainDollars(brand.minimum)}`,
  aboveMaximum: (brand: Brand) => `Maximum amount for ${brand.name} is $${toPlainDollars(brand.maximum)}`,
} as const

/**
 * The quote for a face value in dollars, as typed.
 * @param brand undefined if no brand is chosen, null if the slug is invalid
 */
export function quote(brand: Brand | null | undefined, faceValue: string | number): QuoteResult {
  if (brand === undefined) return { problem: quoteProblems.noBrand, at: 'brand' }
  if (brand === null) return { problem: quoteProblems.unknownBrand, at: 'brand' }
  const cents = parseDollars(faceValue)
  if (cents === undefined) return { problem: quoteProblems.notANumber, at: 'denomination' }
  return quoteCents(brand, cents)
}

/** The quote for a face value in cents. */
export function quoteCents(brand: Brand, faceValue: Cents): QuoteResult {
  if (faceValue < brand.minimum) return { problem: quoteProblems.belowMinimum(brand), at: 'denomination' }
  if (faceValue > brand.maximum) return { problem: quoteProblems.aboveMaximum(brand), at: 'denomination' }
  const pays = shareOf(faceValue, brand.rate)
  return { quote: { brand, faceValue, pays, rate: brand.rate, discount: 10_000 - brand.rate } }
}

/**
 * The brand of the catalog for any of its spellings, or an unlisted brand.
 * @returns undefined for an empty slug, null for an invalid one
 */
export function brandToSell(slug: string, catalog: readonly Brand[]): Brand | null | undefined {
  if (!slug) return undefined
  return listedBrand(slug, catalog) ?? (BRAND_SLUG.test(slug) ? unlistedBrand(slug) : null)
}

/** Amounts offered as buttons, within the brand's limits. */
export function quickAmounts(brand: Brand): Cents[] {
  return [2_500, 5_000, 10_000, 20_000, 50_000].filter(
    (cents) => cents >= brand.minimum && cents <= brand.maximum,
  )
}
