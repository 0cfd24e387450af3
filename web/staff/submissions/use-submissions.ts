import { routes } from '#contract/routes.ts'
import { usePagedList } from '../lists/use-paged-list.ts'
import type { Filters } from './view.ts'

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
