import { useCallback } from 'react'
import { isStatus, type Status } from '#domain/submission.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { MAX_SEARCH_LENGTH } from './SearchField.tsx'

/** New values of query parameters. Undefined or empty removes a parameter. */
type AddressChange = Readonly<Record<string, string | undefined>>

export function withChange(address: URLSearchParams, change: AddressChange): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/**
 * The query of the address and a function that changes parts of it. That function starts from the current address, not
 * the rendered one, which may be older. It replaces the history entry by default, so that Back leaves the list.
 */
export function useAddress(): [
  URLSearchParams,
  (change: AddressChange, step?: { replace: boolean }) => void,
] {
  const [address, setAddress] = useSearchParams()
  const change = useCallback(
    (change: AddressChange, step = { replace: true }) =>
      setAddress(withChange(new URLSearchParams(location.search), change), step),
    [setAddress],
  )
  return [address, change]
}

interface ListFilters {
  q: string
  status: Status | undefined
}

/** The filters of a list, kept in the address so that people can share links. */
export function useListFilters(): [ListFilters, (change: Partial<ListFilters>) => void] {
  const [address, change] = useAddress()
  const status = address.get('status') ?? ''
  const filters = {
    q: (address.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH),
    status: isStatus(status) ? status : undefined,
  }
  return [filters, (changed) => change({ ...changed })]
}
