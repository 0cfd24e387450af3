import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { Answer, QueryInput, Route } from '#contract/route.ts'
import { type Loose, send } from './call.ts'

/** One page of a paged list. */
export interface Page<Row> {
  rows: Row[]
  /** Where the next page starts. Undefined on the last page. */
  cursor: string | undefined
  total: number
}

type RowOf<R extends Route> = Answer<R> extends readonly (infer Row)[] ? Row : never

/**
 * The query of a paged list: `useInfiniteQuery(readPages(route))`.
 * @param firstLimit a smaller first page, to show it sooner
 */
export function readPages<R extends Route>(
  route: R,
  query: Partial<QueryInput<R>> = {},
  { firstLimit }: { firstLimit?: number } = {},
) {
  return infiniteQueryOptions<
    Page<RowOf<R>>,
    Error,
    InfiniteData<Page<RowOf<R>>>,
    unknown[],
    string | undefined
  >({
    queryKey: [route.path, 'pages', query],
    queryFn: ({ pageParam, signal }) =>
      callPage<RowOf<R>>(route, {
        query: { ...query, ...(pageParam ? { cursor: pageParam } : firstLimit && { limit: firstLimit }) },
        signal,
      }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.cursor,
  })
}

export function rowsOf<Row>(data: InfiniteData<Page<Row>> | undefined): Row[] {
  return data?.pages.flatMap((page) => page.rows) ?? []
}

/** Fetches one page of a list. @throws ApiError */
export async function callPage<Row>(route: Route, options: Loose): Promise<Page<Row>> {
  const response = await send(route, options)
  const rows = (await response.json()) as Row[]
  return { rows, cursor: nextCursor(response.headers), total: totalOf(response.headers, rows.length) }
}

function nextCursor(headers: Headers): string | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return next ? (new URL(next, 'http://here').searchParams.get('cursor') ?? undefined) : undefined
}

function totalOf(headers: Headers, otherwise: number): number {
  const total = headers.get('x-total-count')
  return total === null ? otherwise : Number(total)
}
