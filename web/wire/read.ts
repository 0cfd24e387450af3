import {
  type InfiniteData,
  infiniteQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryFilters,
  queryOptions,
} from '@tanstack/react-query'
import type { Answer, QueryInput, Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { type CallOptions, call, callPage, type Page } from './call.ts'
import { ApiError } from './errors.ts'

/** The query of a route: `useQuery(read(routes.myEarnings, {}))`. Its key starts with the route's path. */
export function read<R extends Route>(route: R, options: CallOptions<R>) {
  return queryOptions<Answer<R>>({
    queryKey: [route.path, options.params, options.query],
    queryFn: ({ signal }) => call(route, { ...options, signal }),
  })
}

type RowOf<R extends Route> = Answer<R> extends readonly (infer Row)[] ? Row : never

/**
 * The query of a paged list: `useInfiniteQuery(readPages(routes.myTransactions))`.
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
        query: { ...query, ...(pageParam ? { cursor: pageParam } : { limit: firstLimit }) },
        signal,
      }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.cursor,
  })
}

export function rowsOf<Row>(data: InfiniteData<Page<Row>> | undefined): Row[] {
  return data?.pages.flatMap((page) => page.rows) ?? []
}

/** Fetches the shown queries of these routes again, and marks the others as stale. */
export async function refresh(client: QueryClient, ...routes: Route[]): Promise<void> {
  await Promise.all(routes.map((route) => fetchAgain(client, { queryKey: [route.path] })))
}

/**
 * Fetches the shown ones of these queries again. A first answer that is still loading may be older than the change, and
 * the library would not ask again, so this does when it arrives.
 */
export async function fetchAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const underWay = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const first = underWay.filter(({ state }) => state.data === undefined)
  const onceThere = first.map(async ({ promise, queryKey }) => {
    await promise?.catch(() => undefined)
    await client.invalidateQueries({ queryKey, exact: true })
  })
  await Promise.all([client.invalidateQueries(filters), ...onceThere])
}

/** Calls made offline fail at once. By default they would silently wait for the network. */
const WITHOUT_WAITING = 'always'

/** Polls and retries nothing by default (spec section 7): the live channel says what has changed. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => noticeSignedOut(client, error, query.queryKey[0]),
    }),
    mutationCache: new MutationCache({ onError: (error) => noticeStaffSignedOut(client, error) }),
    defaultOptions: {
      queries: {
        networkMode: WITHOUT_WAITING,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Infinity,
      },
      mutations: { networkMode: WITHOUT_WAITING, retry: false },
    },
  })
  return client
}

/** Whether only staff call this path. */
export function isStaffPath(path: unknown): boolean {
  return String(path).startsWith('/api/admin/')
}

/** A session can end on the server. The first refused query then makes the screens ask to sign in. */
function noticeSignedOut(client: QueryClient, error: Error, path: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  client.setQueryData([isStaffPath(path) ? routes.adminMe.path : routes.me.path], null)
}

/** The same for what staff do. A seller's form shows the error instead and keeps its text. */
function noticeStaffSignedOut(client: QueryClient, error: Error): void {
  if (error instanceof ApiError && isStaffPath(error.path)) noticeSignedOut(client, error, error.path)
}
