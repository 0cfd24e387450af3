import { useCallback } from 'react'
import { BRAND_SLUG } from '#domain/brands.ts'
import { isStatus, type Status } from '#domain/submission.ts'
import { useSearchParams } from '../../router/index.ts'
import { LONGEST_SEARCH } from '../filters/longest-search.ts'

/** What is looked at: three filters and the submission that is open. All of it stands in the address. */
export interface View {
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
    q: (address.get('q') ?? '').trim().slice(0, LONGEST_SEARCH),
    status: isStatus(status) ? status : undefined,
    brand: BRAND_SLUG.test(brand) ? brand : undefined,
    id: ID.test(id) ? id : undefined,
  }
}

/** The address with a part of the view changed; another filter closes the submission, for it may not fit. */
export function withView(address: URLSearchParams, change: Partial<View>): URLSearchParams {
  const next = new URLSearchParams(address)
  const closes = !('id' in change)
  for (const [name, value] of Object.entries(closes ? { ...change, id: undefined } : change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

export interface ViewControl {
  readonly view: View
  readonly change: (change: Partial<View>) => void
  /** The address of this view with a part of it changed, for links. */
  readonly linkTo: (change: Partial<View>) => string
}

export function useView(): ViewControl {
  const [address, setAddress] = useSearchParams()
  const linkTo = useCallback<ViewControl['linkTo']>((change) => `?${withView(address, change)}`, [address])
  return {
    view: readView(address),
    // Replaced and not pushed: Back leaves the list instead of walking through a day's work.
    // Of the address as it is: what is rendered may be a step behind, and a filter just chosen would be lost.
    change: (change) => setAddress(withView(new URLSearchParams(location.search), change), { replace: true }),
    linkTo,
  }
}
