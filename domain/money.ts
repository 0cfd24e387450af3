/** Money is whole US cents everywhere inside; only the wire and the screen know dollars. */
export type Cents = number

/** Percentages are whole hundredths of a percent ("basis points"): 93 % is 9300. */
export type BasisPoints = number

/** decimal(10,2), the widest amount that the spec's tables hold: $99,999,999.99. */
export const MAX_CENTS: Cents = 9_999_999_999

const DECIMAL = /^([+-])?(?=\.?\d)(\d*)(?:\.(\d{0,2})0*)?$/

/**
 * Reads an amount of dollars, at most two decimal places ("25", "25.5", ".50", 25.25).
 * Reads text and not a float, because 25.25 * 100 is only luckily 2525.
 * @returns cents, or undefined for what is no such number (exponents, commas, three places, NaN)
 */
export function parseDollars(amount: string | number): Cents | undefined {
  const match = DECIMAL.exec(String(amount).trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = ''] = match
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (cents > MAX_CENTS) return undefined
  return sign === '-' ? -cents : cents
}

/** 9300 -> "93.00": the form money (and percentages) have on the wire. */
export function toDecimal(hundredths: Cents | BasisPoints): string {
  const sign = hundredths < 0 ? '-' : ''
  const absolute = Math.abs(hundredths)
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/** 123456 -> "$1,234.56": the form money has on a screen and in a mail. */
export function toDollars(cents: Cents): string {
  return inDollars(toDecimal(cents))
}

/** "1234.56" -> "$1,234.56": the same for an amount as the wire has it, a sum of any size too. */
export function inDollars(decimal: string): string {
  // By hand: making the browser's own formatter takes a phone as long as taking over a page.
  return decimal.replace(/^-?/, '$&$$').replace(/\B(?=(\d{3})+\.)/g, ',')
}

/** 2500 -> "25", 2550 -> "25.50": limits in the spec's texts are plain numbers. */
export function toPlainDollars(cents: Cents): string {
  return toDecimal(cents).replace(/\.00$/, '')
}

/** The one place where money is rounded: half up, to a whole cent. */
export function shareOf(cents: Cents, rate: BasisPoints): Cents {
  return Math.floor((cents * rate + 5_000) / 10_000)
}
