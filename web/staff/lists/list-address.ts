import { isStatus, type Status } from '#domain/submission.ts'
import { LONGEST_SEARCH } from '../filters/longest-search.ts'
import { useAddress } from './address-change.ts'

interface ListFilters {
  q: string
  status: Status | undefined
}

/** The filters of a list, kept in the address so that what they give can be linked. */
export function useListFilters(): [ListFilters, (change: Partial<ListFilters>) => void] {
  const [address, change] = useAddress()
  const status = address.get('status') ?? ''
  const filters = {
    q: (address.get('q') ?? '').trim().slice(0, LONGEST_SEARCH),
    status: isStatus(status) ? status : undefined,
  }
  return [filters, (changed) => change({ ...changed })]
}
