import { useQuery } from '@tanstack/react-query'
import type { WireBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { type Brand, brands, type Category, categories } from '#domain/brands.ts'
import { parseDollars } from '#domain/money.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { call } from '#web/wire/call.ts'

/** How long a fetched catalog is used. Shorter than the time for which a quote made from it is honored. */
const FRESH_MS = (QUOTE_HOLDS_MINUTES - 5) * 60_000

/**
 * The catalog. Shows the one built into the page until the server's arrives, because staff can change rates at any time.
 * Then keeps the server's for a while, so that sellers are paid the quote they have seen. RateChange announces later
 * changes.
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
  const isFetched = dataUpdatedAt > 0
  /** Until then a quote made from these terms is honored, even if they change now. */
  const honoredUntil = isFetched ? new Date(dataUpdatedAt + QUOTE_HOLDS_MINUTES * 60_000) : undefined
  return { brands: data, isFetched, honoredUntil, refetch }
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
