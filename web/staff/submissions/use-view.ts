import { useCallback } from 'react'
import { routes } from '#contract/routes.ts'
import { BRAND_SLUG } from '#domain/brands.ts'
import { isStatus, type Status } from '#domain/submission.ts'
import { MAX_SEARCH_LENGTH } from '../lists/SearchField.tsx'
import { useAddress, withChange } from '../lists/use-address.ts'
import { usePagedList } from '../lists/use-paged-list.ts'

/** What is looked at: three filters and the submission that is open. All of it stands in the address. */
interface View {
  readonly q: string
  readonly status: Status | undefined
  readonly brand: string | undefined
  readonly id: string | undefined
}

export type Filters = Omit<View, 'id'>

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What an address names; a part that cannot be one (a link that was cut) is left out. */
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

/** Another filter closes the open submission, for it may not fit. */
export function closing(change: Partial<View>): Partial<View> {
  return 'id' in change ? change : { ...change, id: undefined }
}

export interface ViewControl {
  readonly view: View
  readonly change: (change: Partial<View>) => void
  /** The address of this view with a part of it changed, for links. */
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

/** More than any screen shows at once; the next page follows by itself. */
const FIRST = 25

/** The list of submissions that these filters give, answered ones first. A search has the order of the list. */
export function useSubmissions({ q, status, brand }: Filters) {
  return usePagedList(
    routes.staffSubmissions,
    { q, status, brand, ...(!q && { answeredFirst: 'true' }) },
    { firstLimit: FIRST },
  )
}
