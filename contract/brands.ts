import { z } from 'zod'
import { route } from './route.ts'
import { decimal } from './values.ts'

/** A brand of the catalogue. */
export const brand = z.object({
  name: z.string(),
  value: z.string(),
  category: z.string(),
  rate: decimal,
  /** Two letters for the brand's tile. */
  icon: z.string(),
  minAmount: decimal,
  maxAmount: decimal,
  popular: z.boolean(),
})
export type WireBrand = z.infer<typeof brand>

export const brandRoutes = {
  brands: route({
    method: 'GET',
    path: '/api/brands',
    summary: 'The catalogue: which cards are bought, at which rate, within which limits',
    access: 'anyone',
    limit: 'read',
    answers: { 200: z.array(brand) },
  }),
}
