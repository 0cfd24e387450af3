import { useQuery } from '@tanstack/react-query'
import type { WireBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { type Brand, brands, type Category, categories } from '#domain/brands.ts'
import { parseDollars } from '#domain/money.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { call } from '#web/wire/call.ts'

/** So long a fetched catalogue counts: less than the time for which a quote holds that was made of it. */
const FRESH_MS = (QUOTE_HOLDS_MINUTES - 5) * 60_000

/**
 * The catalogue. The one that comes with the page is shown at once and stands in while the server's own is on its way:
 * staff change rates without a new version of the page. After that it stays as it is for a while, so that a quote that
 * somebody has seen is the one they are paid by. A change that comes then is announced: see RateChange.
 */
export function useBrands() {
  const { data, dataUpdatedAt, refetch } = useQuery({
    queryKey: [routes.brands.path],
    queryFn: async ({ signal }) => (await call(routes.brands, { signal })).map(toBrand),
    initialData: brands,
    initialDataUpdatedAt: 0,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  })
  return { brands: data, isFetched: dataUpdatedAt > 0, refetch }
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
