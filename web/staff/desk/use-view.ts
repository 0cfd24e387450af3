import { useCallback } from 'react'
import { routes } from '#contract/routes.ts'
import { BRAND_SLUG } from '#domain/brands.ts'
import { parseDollars } from '#domain/money.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { type View as ViewName, views } from '#domain/queue.ts'
import { useNow } from '#web/wire/use-now.ts'
import {
  type FiltersOf,
  parseSearch,
  parseStatus,
  readFilters,
  useAddress,
  withChange,
} from '../list/use-address.ts'
import { usePagedList } from '../list/use-paged-list.ts'

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const HOUR_MS = 3_600_000
/** The ages to filter by, in hours. Older cards are marked in the list too. */
export const ages = ['1', '3'] as const

const oneOf =
  <Option extends string>(options: readonly Option[]) =>
  (text: string) =>
    options.find((option) => option === text)
/** Whether the server takes it as an amount to filter by. */
export const isAmount = (text: string) => (parseDollars(text) ?? -1) >= 0
const parseAmount = (text: string) => (isAmount(text) ? text : undefined)

/** The filters and the open submission. The address holds all of them. */
const parsers = {
  view: oneOf(views),
  q: parseSearch,
  status: parseStatus,
  brand: (text: string) => (BRAND_SLUG.test(text) ? text : undefined),
  age: oneOf(ages),
  minAmount: parseAmount,
  maxAmount: parseAmount,
  paymentType: oneOf(paymentTypes),
  claimed: oneOf(['none', 'me']),
  id: (text: string) => (ID.test(text) ? text : undefined),
}

type Parsed = FiltersOf<typeof parsers>
type View = Omit<Parsed, 'view'> & { readonly view: ViewName }
export type Filters = Omit<View, 'id'>

/** Searches and statuses look in all submissions, unless the address names a view. */
export function readView(address: URLSearchParams): View {
  const parsed = readFilters(address, parsers)
  return { ...parsed, view: parsed.view ?? (parsed.q || parsed.status ? 'all' : 'review') }
}

/** The filters without the view and the search, all off. */
export const noFilters = {
  status: undefined,
  brand: undefined,
  age: undefined,
  minAmount: undefined,
  maxAmount: undefined,
  paymentType: undefined,
  claimed: undefined,
}

/** How many filters are on, besides the view and the search. */
export function countFilters(view: Filters): number {
  return Object.keys(noFilters).filter((name) => view[name as keyof typeof noFilters]).length
}

/** Changing a filter closes the open submission, which may no longer match. */
export function closing(change: Partial<Parsed>): Partial<Parsed> {
  return 'id' in change ? change : { ...change, id: undefined }
}

export type ViewControl = ReturnType<typeof useView>

export function useView() {
  const [address, changeAddress] = useAddress()
  /** The address of this view with some parts changed. */
  const linkTo = useCallback(
    (change: Partial<Parsed>) => `?${withChange(address, { ...closing(change) })}`,
    [address],
  )
  const change = (change: Partial<Parsed>) => changeAddress({ ...closing(change) })
  return { view: readView(address), change, linkTo }
}

/** Fills any screen. The next page loads on scrolling. */
const FIRST_PAGE_SIZE = 25

/** What the server filters by. */
export function toQuery({ age, ...filters }: Filters, now: number) {
  return { ...filters, ...(age && { to: new Date(now - Number(age) * HOUR_MS).toISOString() }) }
}

/** Milliseconds after which newly matching cards appear at the latest. */
const AGE_STEP_MS = 5 * 60_000

/** The submissions that match the filters. Among all, answered ones come first, except in a search. */
export function useSubmissions(view: View) {
  const { id, ...filters } = view
  const now = useNow(AGE_STEP_MS)
  const query = toQuery(filters, Math.floor(now / AGE_STEP_MS) * AGE_STEP_MS)
  const isWhole = filters.view === 'all' && !filters.q
  const list = usePagedList(
    routes.staffSubmissions,
    { ...query, ...(isWhole && { answeredFirst: 'true' }) },
    { firstLimit: FIRST_PAGE_SIZE },
  )
  // A new time in the query does not count as a new filter.
  return { ...list, filterKey: JSON.stringify(filters) }
}
