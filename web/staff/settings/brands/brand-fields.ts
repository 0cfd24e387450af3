import type { z } from 'zod'
import { newBrand, type StaffBrand } from '#contract/brands.ts'
import { parseDollars, shareOf, toDollars, toPlainDollars, toShortDollars } from '#domain/money.ts'

/** The form's values as typed. */
export type BrandFields = z.input<typeof newBrand>

/** Only the changed fields, so that concurrent edits to other fields survive. */
export function changesOf(before: StaffBrand, typed: BrandFields): Partial<BrandFields> {
  const [from, to] = [newBrand.parse(before), newBrand.parse(typed)]
  const fields = Object.keys(to) as (keyof BrandFields)[]
  const changed = fields.filter((field) => from[field] !== to[field])
  // What was emptied is missing from a form as it was typed.
  return Object.fromEntries(changed.map((field) => [field, typed[field] ?? null]))
}

/** Suggests a slug: "Corner Café" -> "corner_cafe". */
export function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/['’\p{M}]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
}

/** "93.00" -> "93%". */
export function plainPercent(rate: string): string {
  return `${plain(rate)}%`
}

/** "2000.00" -> "$2,000", "25.50" -> "$25.50". */
export function plainMoney(amount: string): string {
  return toShortDollars(parseDollars(amount) ?? 0)
}

/** "93.00" -> "93". */
export function plain(decimal: string): string {
  return toPlainDollars(parseDollars(decimal) ?? 0)
}

/** What a $100 card pays at a typed rate; undefined while the text is not a rate. */
export function payoutOfHundred(rate: string): string | undefined {
  const basisPoints = parseDollars(rate)
  if (basisPoints === undefined || basisPoints < 0 || basisPoints > 10_000) return undefined
  return toDollars(shareOf(10_000, basisPoints))
}
