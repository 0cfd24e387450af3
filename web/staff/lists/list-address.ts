import { isStatus, type Status } from '#domain/submission.ts'
import { useSearchParams } from '../../router/index.ts'
import { LONGEST_SEARCH } from '../filters/longest-search.ts'

interface ListFilters {
  q: string
  status: Status | undefined
}

/** The filters of a list, kept in the address so that what they give can be linked. */
export function useListFilters(): [ListFilters, (change: Partial<ListFilters>) => void] {
  const [address, setAddress] = useSearchParams()
  const status = address.get('status') ?? ''
  const filters = {
    q: (address.get('q') ?? '').trim().slice(0, LONGEST_SEARCH),
    status: isStatus(status) ? status : undefined,
  }
  function change(changed: Partial<ListFilters>) {
    // Not what is rendered, which may be a step behind.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changed)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    setAddress(next, { replace: true })
  }
  return [filters, change]
}
