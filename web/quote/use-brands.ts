import { useQuery } from '@tanstack/react-query'
import type { WireBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { type Brand, brands, type Category, categories } from '#domain/brands.ts'
import { parseDollars } from '#domain/money.ts'
import { call } from '../api/call.ts'

/**
 * The catalogue. It comes with the page, so that a quote needs no request; it is fetched anew only when the
 * server says that a quote has changed.
 */
export function useBrands() {
  const { data, refetch } = useQuery({
    queryKey: [routes.brands.path],
    queryFn: async ({ signal }) => (await call(routes.brands, { signal })).map(toBrand),
    initialData: brands,
  })
  return { brands: data, refetch }
}

function toBrand({ name, value, category, rate, minAmount, maxAmount, popular }: WireBrand): Brand {
  return {
    name,
    value,
    category: isCategory(category) ? category : 'Gift Cards',
    rate: parseDollars(rate) ?? 0,
    minimum: parseDollars(minAmount) ?? 0,
    maximum: parseDollars(maxAmount) ?? 0,
    popular,
  }
}

function isCategory(name: string): name is Category {
  return (categories as readonly string[]).includes(name)
}
