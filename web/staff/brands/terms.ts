import { parseDollars, shareOf, toDollars, toPlainDollars } from '#domain/money.ts'

/** "93.00" -> "93%". */
export function plainPercent(rate: string): string {
  return `${plain(rate)}%`
}

/** "2000.00" -> "$2,000". */
export function plainMoney(amount: string): string {
  return `$${Number(plain(amount)).toLocaleString('en-US')}`
}

/** "93.00" -> "93": as somebody would type it. */
export function plain(decimal: string): string {
  return toPlainDollars(parseDollars(decimal) ?? 0)
}

/** What a card of $100 pays at a rate as it was typed; undefined while that is no rate. */
export function paysForHundred(rate: string): string | undefined {
  const basisPoints = parseDollars(rate)
  if (basisPoints === undefined || basisPoints < 0 || basisPoints > 10_000) return undefined
  return toDollars(shareOf(10_000, basisPoints))
}
