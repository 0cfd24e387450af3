import { useCallback } from 'react'
import { routes } from '#contract/routes.ts'
import { BRAND_SLUG } from '#domain/brands.ts'
import {
  type FiltersOf,
  parseSearch,
  parseStatus,
  readFilters,
  useAddress,
  withChange,
} from '../lists/use-address.ts'
import { usePagedList } from '../lists/use-paged-list.ts'

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The filters and the open submission. The address holds all of them. */
const parsers = {
  q: parseSearch,
  status: parseStatus,
  brand: (text: string) => (BRAND_SLUG.test(text) ? text : undefined),
  id: (text: string) => (ID.test(text) ? text : undefined),
}

type View = FiltersOf<typeof parsers>
export type Filters = Omit<View, 'id'>

export function readView(address: URLSearchParams): View {
  return readFilters(address, parsers)
}

/** Changing a filter closes the open submission, which may no longer match. */
export function closing(change: Partial<View>): Partial<View> {
  return 'id' in change ? change : { ...change, id: undefined }
}

export type ViewControl = ReturnType<typeof useView>

export function useView() {
  const [address, changeAddress] = useAddress()
  /** The address of this view with some parts changed. */
  const linkTo = useCallback(
    (change: Partial<View>) => `?${withChange(address, { ...closing(change) })}`,
    [address],
  )
  const change = (change: Partial<View>) => changeAddress({ ...closing(change) })
  return { view: readView(address), change, linkTo }
}

/** Fills any screen. The next page loads by itself. */
const FIRST_PAGE_SIZE = 25

/** The submissions that match the filters. Without a search, answered ones come first. */
export function useSubmissions({ q, status, brand }: Filters) {
  return usePagedList(
    routes.staffSubmissions,
    { q, status, brand, ...(!q && { answeredFirst: 'true' }) },
    { firstLimit: FIRST_PAGE_SIZE },
  )
}
