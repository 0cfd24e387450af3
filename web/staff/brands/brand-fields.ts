import type { z } from 'zod'
import { newBrand, type StaffBrand } from '#contract/brands.ts'

/** What is typed into the form. */
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
