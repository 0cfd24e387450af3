import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryFilters,
  queryOptions,
} from '@tanstack/react-query'
import type { Answer, Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { type CallOptions, call } from './call.ts'
import { ApiError } from './errors.ts'

/** The query of a route: `useQuery(read(routes.me, {}))`. Its key starts with the route's path. */
export function read<R extends Route>(route: R, options: CallOptions<R>) {
  return queryOptions<Answer<R>>({
    queryKey: [route.path, options.params, options.query],
    queryFn: ({ signal }) => call(route, { ...options, signal }),
  })
}

/** Refetches the queries of these routes that are on screen, and marks the others as stale. */
export async function refresh(client: QueryClient, ...routes: Route[]): Promise<void> {
  await Promise.all(routes.map((route) => fetchAgain(client, { queryKey: [route.path] })))
}

/**
 * Refetches those of these queries that are on screen. A first answer that is still loading may be older than the change,
 * and the library would not refetch it, so this does when it arrives.
 */
export async function fetchAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const fetching = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const first = fetching.filter(({ state }) => state.data === undefined)
  const refetches = first.map(async ({ promise, queryKey }) => {
    await promise?.catch(() => undefined)
    await client.invalidateQueries({ queryKey, exact: true })
  })
  await Promise.all([client.invalidateQueries(filters), ...refetches])
}

/** Calls made offline fail immediately. By default they would silently wait for the network. */
const EVEN_OFFLINE = 'always'

/** Polls and retries nothing by default (spec section 7): the live channel says what has changed. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => noticeSignedOut(client, error, query.queryKey[0]),
    }),
    mutationCache: new MutationCache({ onError: (error) => noticeStaffSignedOut(client, error) }),
    defaultOptions: {
      queries: {
        networkMode: EVEN_OFFLINE,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Infinity,
      },
      mutations: { networkMode: EVEN_OFFLINE, retry: false },
    },
  })
  return client
}

/** Whether only staff call this path. */
export function isStaffPath(path: unknown): boolean {
  return String(path).startsWith('/api/admin/')
}

/** After a session ends on the server, the first query that gets a 401 makes the screens ask to sign in. */
function noticeSignedOut(client: QueryClient, error: Error, path: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  client.setQueryData([isStaffPath(path) ? routes.adminMe.path : routes.me.path], null)
}

/** The same for mutations by staff. A seller's form shows the error instead and keeps its text. */
function noticeStaffSignedOut(client: QueryClient, error: Error): void {
  if (error instanceof ApiError && isStaffPath(error.path)) noticeSignedOut(client, error, error.path)
}
