import { useCallback } from 'react'
import { routes } from '#contract/routes.ts'
import { BRAND_SLUG } from '#domain/brands.ts'
import { isStatus, type Status } from '#domain/submission.ts'
import { MAX_SEARCH_LENGTH } from '../lists/SearchField.tsx'
import { useAddress, withChange } from '../lists/use-address.ts'
import { usePagedList } from '../lists/use-paged-list.ts'

/** The filters and the open submission. The address holds all of them. */
interface View {
  readonly q: string
  readonly status: Status | undefined
  readonly brand: string | undefined
  readonly id: string | undefined
}

export type Filters = Omit<View, 'id'>

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ignores invalid parts of an address, such as those of a truncated link. */
export function readView(address: URLSearchParams): View {
  const status = address.get('status') ?? ''
  const brand = address.get('brand') ?? ''
  const id = address.get('id') ?? ''
  return {
    q: (address.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
    status: isStatus(status) ? status : undefined,
    brand: BRAND_SLUG.test(brand) ? brand : undefined,
    id: ID.test(id) ? id : undefined,
  }
}

/** Changing a filter closes the open submission, which may no longer match. */
export function closing(change: Partial<View>): Partial<View> {
  return 'id' in change ? change : { ...change, id: undefined }
}

export interface ViewControl {
  readonly view: View
  readonly change: (change: Partial<View>) => void
  /** The address of this view with some parts changed. */
  readonly linkTo: (change: Partial<View>) => string
}

export function useView(): ViewControl {
  const [address, changeAddress] = useAddress()
  const linkTo = useCallback<ViewControl['linkTo']>(
    (change) => `?${withChange(address, { ...closing(change) })}`,
    [address],
  )
  return {
    view: readView(address),
    change: (change) => changeAddress({ ...closing(change) }),
    linkTo,
  }
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
