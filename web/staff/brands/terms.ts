import type { z } from 'zod'
import { newBrand, type StaffBrand } from '#contract/brands.ts'
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

export type BrandFields = z.input<typeof newBrand>

/** Of what was typed that which differs from the brand: the rest is left to whoever changes it at the same time. */
export function changesOf(before: StaffBrand, typed: BrandFields): Partial<BrandFields> {
  const [from, to] = [newBrand.parse(before), newBrand.parse(typed)]
  const fields = Object.keys(to) as (keyof BrandFields)[]
  const changed = fields.filter((field) => from[field] !== to[field])
  return Object.fromEntries(changed.map((field) => [field, typed[field]]))
}

/** A slug to begin with: "Corner Café" -> "corner_cafe". */
export function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/['’\p{M}]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
}
