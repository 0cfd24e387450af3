/** Money is whole US cents, except on the wire and on screens. */
export type Cents = number

/** Percentages are whole hundredths of a percent ("basis points"): 93 % is 9300. */
export type BasisPoints = number

/** $99,999,999.99, the largest amount of the spec's decimal(10,2). */
export const MAX_CENTS: Cents = 9_999_999_999

const DECIMAL = /^([+-])?(?=\.?\d)(\d*)(?:\.(\d{0,2})0*)?$/

/**
 * Parses dollars with at most two decimal places: "25", "25.5", ".50". Parses text, because floats are not exact.
 * @returns cents, or undefined for anything else (exponents, commas, three decimal places, NaN)
 */
export function parseDollars(amount: string | number): Cents | undefined {
  const match = DECIMAL.exec(String(amount).trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = ''] = match
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (cents > MAX_CENTS) return undefined
  return sign === '-' ? -cents : cents
}

/** "1,250" and "1,250.50". A zero before the comma would be a decimal comma. */
const WITH_THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{0,2})?$/
/** "1.250,50". Without the comma, the dot could be a decimal point. */
const WITH_THOUSANDS_DOTS = /^[1-9]\d{0,2}(?:\.\d{3})+,\d{1,2}$/
/** "12,5" and "12,50" */
const WITH_DECIMAL_COMMA = /^\d*,\d{0,2}$/

/**
 * Parses dollars as people type them, also with a dollar sign, commas between thousands, or as in Spanish: "1.250,50".
 * @returns cents, or undefined if it is no amount or can be read in two ways
 */
export function parseTypedDollars(typed: string | number): Cents | undefined {
  const text = String(typed)
    .trim()
    .replace(/^\$\s*/, '')
  if (WITH_THOUSANDS.test(text)) return parseDollars(text.replaceAll(',', ''))
  if (WITH_THOUSANDS_DOTS.test(text)) return parseDollars(text.replaceAll('.', '').replace(',', '.'))
  return parseDollars(WITH_DECIMAL_COMMA.test(text) ? text.replace(',', '.') : text)
}

/** 9300 -> "93.00", the format of money and percentages on the wire. */
export function toDecimal(hundredths: Cents | BasisPoints): string {
  const sign = hundredths < 0 ? '-' : ''
  const absolute = Math.abs(hundredths)
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/** 123456 -> "$1,234.56", the format of money on screens and in emails. */
export function toDollars(cents: Cents): string {
  return inDollars(toDecimal(cents))
}

/** "1234.56" -> "$1,234.56", for amounts of any size. */
export function inDollars(decimal: string): string {
  // Avoids Intl.NumberFormat: on a phone, creating one takes as long as hydrating a page.
  return decimal.replace(/^-?/, '$&$$').replace(/\B(?=(\d{3})+\.)/g, ',')
}

/** 200000 -> "$2,000", 125050 -> "$1,250.50": for limits and values, which rarely have cents. */
export function toShortDollars(cents: Cents): string {
  return toDollars(cents).replace(/\.00$/, '')
}

/** 2500 -> "25", 2550 -> "25.50": for fields, percentages and the spec's errors of limits. */
export function toPlainDollars(cents: Cents): string {
  return toDecimal(cents).replace(/\.00$/, '')
}

/** A share of an amount, rounded half up to a whole cent. Money is rounded nowhere else. */
export function shareOf(cents: Cents, rate: BasisPoints): Cents {
  return Math.floor((cents * rate + 5_000) / 10_000)
}
