import { type BasisPoints, toPlainDollars } from '#domain/money.ts'
import { translate } from '#web/words/words.ts'
import { cardNameIn } from '#words/card-name.ts'

/** 9300 -> "93%", 9250 -> "92.50%". */
export function percent(rate: BasisPoints): string {
  return `${toPlainDollars(rate)}%`
}

/** A card inside a sentence: "Amazon card", but "Visa Gift Card". */
export function cardName(brand: string): string {
  return cardNameIn(translate(), brand)
}

/** A card as a title: "Tarjeta de Amazon", but "eBay card". */
export function cardTitle(brand: string): string {
  const name = cardName(brand)
  return name.startsWith(brand) ? name : name[0]?.toUpperCase() + name.slice(1)
}
