import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { QueryInput, Route } from '#contract/route.ts'
import { readPages, rowsOf } from '#web/wire/pages.ts'

/** The loaded pages of a list. The server filters. */
export function usePagedList<R extends Route>(
  route: R,
  filters: Partial<QueryInput<R>>,
  {
    firstLimit,
    ...options
  }: {
    firstLimit?: number
    staleTime?: number
    refetchInterval?: number
  } = {},
) {
  const query = useInfiniteQuery({
    ...readPages(route, filters, firstLimit === undefined ? {} : { firstLimit }),
    // Shows the previous list while the next one loads.
    placeholderData: keepPreviousData,
    ...options,
  })
  // Stays the same array until a row changes, so that memoized rows do not render again.
  const rows = useMemo(() => rowsOf(query.data), [query.data])
  return {
    query,
    rows,
    total: query.data?.pages[0]?.total ?? 0,
    filterKey: JSON.stringify(filters),
    isFiltered: Object.values(filters).some(Boolean),
  }
}

/** What a table or list needs. */
export interface PagedList<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** Differs for other filters. */
  readonly filterKey?: string
  /** A search or a filter is on. */
  readonly isFiltered?: boolean
  readonly query: Pick<UseQueryResult<unknown>, Shown | 'refetch'> &
    // Only of a list with more pages.
    Partial<
      Pick<UseInfiniteQueryResult<unknown>, 'isFetchingNextPage' | 'isFetchNextPageError' | 'hasNextPage'>
    > & {
      readonly fetchNextPage?: () => Promise<unknown>
    }
}

type Shown = 'isSuccess' | 'isPending' | 'isError' | 'isPlaceholderData' | 'isFetching' | 'error'
