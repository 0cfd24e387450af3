import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryInput, Route } from '#contract/route.ts'
import { readPages, rowsOf } from '#web/wire/read.ts'

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
  // The same rows for as long as nothing of them has changed, so that what shows them has nothing to do.
  const rows = useMemo(() => rowsOf(query.data), [query.data])
  return { query, rows, total: query.data?.pages[0]?.total ?? 0 }
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
