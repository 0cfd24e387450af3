import { type BasisPoints, toPlainDollars } from '#domain/money.ts'

/** 9300 -> "93%", 9250 -> "92.50%". */
export function percent(rate: BasisPoints): string {
  return `${toPlainDollars(rate)}%`
}

/** "Amazon card", but "Visa Gift Card". */
export function cardName(brandName: string): string {
  return / card$/i.test(brandName) ? brandName : `${brandName} card`
}
