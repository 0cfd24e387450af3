import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { QueryInput, Route } from '#contract/route.ts'
import { readPages, rowsOf } from '../../api/read.ts'

/** A list as far as it was loaded. The server filters, so that filters cover everything and not one page. */
export function usePagedList<R extends Route>(
  route: R,
  filters: Partial<QueryInput<R>>,
  { firstLimit, ...options }: { firstLimit?: number; refetchInterval?: number; staleTime?: number } = {},
) {
  const query = useInfiniteQuery({
    ...readPages(route, filters, firstLimit === undefined ? {} : { firstLimit }),
    // While somebody types, the list before stays in sight instead of flashing empty.
    placeholderData: keepPreviousData,
    ...options,
  })
  return { query, rows: rowsOf(query.data), total: query.data?.pages[0]?.total ?? 0 }
}

/** What a table needs of it. */
export interface PagedList<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly query: Pick<
    ReturnType<typeof useInfiniteQuery>,
    | 'isSuccess'
    | 'isPending'
    | 'isError'
    | 'isPlaceholderData'
    | 'error'
    | 'refetch'
    | 'hasNextPage'
    | 'isFetchingNextPage'
    | 'fetchNextPage'
  >
}
