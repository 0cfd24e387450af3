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

/**
 * The query of a route: `useQuery(read(routes.myEarnings))`. Its key begins with the route's path, so that
 * `forget(client, routes.myEarnings)` reaches every variant of it.
 */
export function read<R extends Route>(route: R, options: CallOptions<R>) {
  return queryOptions<Answer<R>>({
    queryKey: [route.path, options.params, options.query],
    queryFn: ({ signal }) => call(route, { ...options, signal }),
  })
}

type RowOf<R extends Route> = Answer<R> extends readonly (infer Row)[] ? Row : never

/**
 * The query of a list that grows: `useInfiniteQuery(readPages(routes.myTransactions, {}))`.
 * @param firstLimit rows of the first page, where it is to be there sooner than a whole one
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

/** Fetches again what is shown of these routes, and forgets what isn't. */
export async function refresh(client: QueryClient, ...routes: Route[]): Promise<void> {
  await Promise.all(routes.map((route) => fetchAgain(client, { queryKey: [route.path] })))
}

/**
 * The same for these queries. A first answer that is still on its way may have been written before whatever is new; the
 * query library would take it for the new one, so it is looked for once more as soon as it is there.
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

/** A call that is made offline fails at once and says so; by default it would wait, silently, for the network. */
const WITHOUT_WAITING = 'always'

/** Nothing is polled, retried or fetched again by itself (spec section 7); the live channel says what changed. */
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

/** Whether this is the path of a call that only staff make. */
export function isStaffPath(path: unknown): boolean {
  return String(path).startsWith('/api/admin/')
}

/** A session can end elsewhere. The first query that is refused for it makes the screens ask to sign in. */
function noticeSignedOut(client: QueryClient, error: Error, path: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  client.setQueryData([isStaffPath(path) ? routes.adminMe.path : routes.me.path], null)
}

/** So does what staff wanted to do. What a seller wanted to send is refused where it stands, and kept. */
function noticeStaffSignedOut(client: QueryClient, error: Error): void {
  if (error instanceof ApiError && isStaffPath(error.path)) noticeSignedOut(client, error, error.path)
}
