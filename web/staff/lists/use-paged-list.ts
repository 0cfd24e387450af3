import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryInput, Route } from '#contract/route.ts'
import { readPages, rowsOf } from '#web/wire/read.ts'

/** The loaded pages of a list. The server filters. */
export function usePagedList<R extends Route>(
  route: R,
  filters: Partial<QueryInput<R>>,
  { firstLimit, ...options }: { firstLimit?: number; refetchInterval?: number; staleTime?: number } = {},
) {
  const query = useInfiniteQuery({
    ...readPages(route, filters, firstLimit === undefined ? {} : { firstLimit }),
    // Shows the previous list while the next one loads.
    placeholderData: keepPreviousData,
    ...options,
  })
  // Stays the same array until a row changes, so that memoized rows do not render again.
  const rows = useMemo(() => rowsOf(query.data), [query.data])
  return { query, rows, total: query.data?.pages[0]?.total ?? 0 }
}

/** What a table needs. */
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
