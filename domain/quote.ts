import { BRAND_SLUG, type Brand, listedBrand, unlistedBrand } from './brands.ts'
import {
  type BasisPoints,
  type Cents,
  parseDollars,
  parseTypedDollars,
  shareOf,
  toPlainDollars,
  toShortDollars,
} from './money.ts'

export interface Quote {
  readonly brand: Brand
  readonly faceValue: Cents
  readonly pays: Cents
  readonly rate: BasisPoints
  /** 100 % − rate. */
  readonly discount: BasisPoints
}

/** Why there is no quote: the field, the code of its error and what its text inserts. */
export interface QuoteProblem {
  readonly path: 'brand' | 'denomination'
  readonly code:
    | 'brand_not_chosen'
    | 'brand_invalid'
    | 'amount_invalid'
    | 'amount_decimals'
    | 'amount_below_minimum'
    | 'amount_above_maximum'
    | 'balance_above_value'
  readonly params?: Readonly<Record<string, string>>
}

export type QuoteResult =
  | { readonly quote: Quote; readonly problem?: undefined }
  | { readonly problem: QuoteProblem; readonly quote?: undefined }

/** How long a displayed quote is honored after the brand's terms change. */
export const QUOTE_HOLDS_MINUTES = 15

/**
 * The quote for a face value in dollars, as typed.
 * @param brand undefined if no brand is chosen, null if the slug is invalid
 */
export function quote(brand: Brand | null | undefined, faceValue: string | number): QuoteResult {
  if (brand === undefined) return { problem: { path: 'brand', code: 'brand_not_chosen' } }
  if (brand === null) return { problem: { path: 'brand', code: 'brand_invalid' } }
  const cents = parseTypedDollars(faceValue)
  if (cents === undefined) {
    const code = FRACTION_OF_CENT.test(String(faceValue)) ? 'amount_decimals' : 'amount_invalid'
    return { problem: { path: 'denomination', code } }
  }
  return quoteCents(brand, cents)
}

/** "100.555" */
const FRACTION_OF_CENT = /^\s*\d*\.\d{3,}\s*$/

/** The quote for a face value in cents. */
export function quoteCents(brand: Brand, faceValue: Cents): QuoteResult {
  const path = 'denomination'
  if (faceValue < brand.minimum) {
    const params = { brand: brand.name, minimum: toPlainDollars(brand.minimum) }
    return { problem: { path, code: 'amount_below_minimum', params } }
  }
  if (faceValue > brand.maximum) {
    const params = { brand: brand.name, maximum: toPlainDollars(brand.maximum) }
    return { problem: { path, code: 'amount_above_maximum', params } }
  }
  const pays = shareOf(faceValue, brand.rate)
  return { quote: { brand, faceValue, pays, rate: brand.rate, discount: 10_000 - brand.rate } }
}

/**
 * The quote for what is left on a partially used card.
 * @param card the quote for its whole value
 * @param left in dollars, as typed
 */
export function balanceQuote(card: Quote, left: string): QuoteResult {
  const result = quote(card.brand, left)
  if (!result.quote || result.quote.faceValue <= card.faceValue) return result
  const params = { balance: toShortDollars(result.quote.faceValue) }
  return { problem: { path: 'denomination', code: 'balance_above_value', params } }
}

/** The amounts are decimal, as on the wire. */
interface CheckedCard {
  readonly denomination: string
  readonly discountPercentage: string
  readonly balanceCheck: { readonly amount: string } | null
}

/**
 * What to offer for a card with less on it than its face value: the balance at the rate of its quote.
 * @returns undefined if the balance is not known, or nothing can be offered for it
 */
export function suggestedOffer({ denomination, discountPercentage, balanceCheck }: CheckedCard) {
  const [faceValue = 0, discount = 0, balance = 0] = [
    denomination,
    discountPercentage,
    balanceCheck?.amount ?? '0',
  ].map(parseDollars)
  const offer = shareOf(balance, 10_000 - discount)
  return balance < faceValue && offer > 0 ? offer : undefined
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
