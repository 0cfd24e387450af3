import { z } from 'zod'
import { BRAND_SLUG, categories } from '#domain/brands.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { dollars, instant, money, percent, text } from './values.ts'

/** A brand of the catalog. */
export const brand = z.object({
  name: z.string(),
  value: z.string(),
  category: z.string(),
  rate: percent,
  icon: z.string().describe("Two letters for the brand's tile"),
  minAmount: money,
  maxAmount: money,
  popular: z.boolean(),
})
export type WireBrand = z.input<typeof brand>
export type BrandAnswer = z.output<typeof brand>

/** A brand as staff see it. */
export const staffBrand = brand.extend({
  balanceUrl: z.string().nullable().describe('The page that shows the balance of a card'),
  balancePhone: z.string().nullable(),
  balanceCheckedOn: z.iso
    .date()
    .nullable()
    .describe('When staff last entered or checked them. Null if nobody of this shop has'),
  updatedAt: instant,
})
export type StaffBrand = z.input<typeof staffBrand>
export type StaffBrandAnswer = z.output<typeof staffBrand>

/** Percent paid, in hundredths of a percent. The error `rate_out_of_range` names the limits. */
export const RATE = { min: 100, max: 10_000 } as const

const badRate = 'rate_out_of_range' satisfies FieldCode
const badAmount = 'amount_not_positive' satisfies FieldCode

/** Optional. Blank removes it. */
const orNull = (schema: z.ZodString) =>
  z
    .string()
    .trim()
    .pipe(z.union([z.literal(''), schema]))
    .nullable()
    .transform((value) => value || null)

const badAddress = 'balance_url_invalid' satisfies FieldCode
const badPhone = 'balance_phone_invalid' satisfies FieldCode

const balance = {
  balanceUrl: orNull(
    z
      .string(badAddress)
      .max(500, badAddress)
      .regex(/^https:\/\/[^\s/]+\.[^\s]+$/, badAddress),
  ),
  balancePhone: orNull(z.string(badPhone).regex(/^[+(\d][\d ().-]{2,39}$/, badPhone)),
}

const terms = {
  name: text({ max: 60, required: 'name_required' }),
  category: z.enum(categories, { error: 'category_required' satisfies FieldCode }),
  rate: dollars(badRate).refine((rate) => rate >= RATE.min && rate <= RATE.max, badRate),
  minAmount: dollars(badAmount).refine((cents) => cents > 0, badAmount),
  maxAmount: dollars(badAmount).refine((cents) => cents > 0, badAmount),
  popular: z.boolean({ error: 'popular_invalid' satisfies FieldCode }),
}

const balanceChecked = z
  .boolean({ error: 'balance_checked_invalid' satisfies FieldCode })
  .describe('You have tried the balance page and phone today. New ones count as checked')

export const newBrand = z.object({
  value: text({ max: 50, required: 'slug_required' }).regex(
    BRAND_SLUG,
    'slug_characters' satisfies FieldCode,
  ),
  ...terms,
  popular: terms.popular.default(false),
  balanceUrl: balance.balanceUrl.default(null),
  balancePhone: balance.balancePhone.default(null),
  balanceChecked: balanceChecked.default(false),
})
export type NewBrand = z.output<typeof newBrand>

/** Omitted fields stay unchanged. The server checks that the minimum stays below the maximum. */
export const brandChange = z.object({ ...terms, ...balance, balanceChecked }).partial()
export type BrandChange = z.output<typeof brandChange>

export const brandRoutes = {
  brands: route({
    method: 'GET',
    path: '/api/brands',
    summary: 'The catalog: which cards we buy, with rate and limits',
    access: 'anyone',
    limit: 'read',
    answers: { 200: z.array(brand) },
  }),
  staffBrands: route({
    method: 'GET',
    path: '/api/admin/brands',
    summary: 'The catalog, not cached',
    access: 'see_brands',
    limit: 'read',
    answers: { 200: z.array(staffBrand) },
  }),
  addBrand: route({
    method: 'POST',
    path: '/api/admin/brands',
    summary: 'Add a brand. 409 taken if its slug or name belongs to another brand, in any spelling',
    access: 'change_brands',
    limit: 'write',
    refuses: ['taken'],
    body: newBrand,
    answers: { 201: staffBrand },
  }),
  changeBrand: route({
    method: 'PATCH',
    path: '/api/admin/brands/:slug',
    summary: 'Change the terms of a brand. Quotes already shown are honored for 15 minutes',
    access: 'change_brands',
    limit: 'write',
    refuses: ['taken'],
    params: z.object({ slug: text({ max: 50 }) }),
    body: brandChange,
    answers: { 200: staffBrand },
  }),
}
