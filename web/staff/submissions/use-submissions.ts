import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { readPages, rowsOf } from '../../api/read.ts'
import type { Filters } from './view.ts'

/** The list that these filters give, as far as it was loaded. The server filters, so that they cover everything. */
export function useSubmissions({ q, status, brand }: Filters) {
  const query = useInfiniteQuery({
    ...readPages(routes.staffSubmissions, { q, status, brand }),
    // While somebody types, the list before stays in sight instead of flashing empty.
    placeholderData: keepPreviousData,
  })
  return { query, rows: rowsOf(query.data), total: query.data?.pages[0]?.total ?? 0 }
}
