import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { ANSWERING_SECONDS } from '#domain/chat.ts'
import { callPage } from '#web/wire/call.ts'
import { addPage, joinTop, keepSame, type ThreadPages } from './thread-list.ts'
import { listKey } from './thread-queries.ts'

/** Milliseconds between two looks while nothing is pushed (spec section 9). */
const POLL_THREADS = 5000

/**
 * Milliseconds to the next look: what is pushed needs none, but for the end of somebody's answering, which comes
 * by itself when they just go away.
 */
export function pause(live: boolean, answering?: unknown): number | false {
  if (!live) return POLL_THREADS
  return answering ? (ANSWERING_SECONDS * 1000) / 2 : false
}

export type Threads = ReturnType<typeof useThreads>

/**
 * The conversations that a search gives, as far as they were loaded. A look fetches the first page only: however
 * far somebody has scrolled, a new message costs one request.
 */
export function useThreads(q: string, live: boolean) {
  const client = useQueryClient()
  const queryKey = listKey(q)
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const top = await fetchPage(q, { signal })
      return joinTop(client.getQueryData<ThreadPages>(queryKey), top)
    },
    structuralSharing: (before, now) => keepSame(before as ThreadPages | undefined, now as ThreadPages),
    refetchInterval: ({ state }) =>
      pause(
        live,
        state.data?.rows.some(({ answeringBy }) => answeringBy),
      ),
    // While somebody types, the list before stays in sight instead of flashing empty.
    placeholderData: keepPreviousData,
  })
  const more = useMutation({
    // Of this list: another search begins without this one's failure.
    mutationKey: [...queryKey, 'more'],
    mutationFn: (cursor: string) => fetchPage(q, { cursor }),
    onSuccess: (next) =>
      client.setQueryData<ThreadPages>(queryKey, (known) => (known ? addPage(known, next) : known)),
  })
  const cursor = query.isPlaceholderData ? undefined : query.data?.cursor
  return {
    query,
    rows: query.data?.rows ?? [],
    total: query.data?.total ?? 0,
    more: {
      /** undefined: everything is loaded. */
      load: cursor === undefined ? undefined : () => more.isPending || more.mutate(cursor),
      loading: more.isPending,
      error: more.error,
    },
  }
}

function fetchPage(
  q: string,
  { cursor, signal }: { cursor?: string; signal?: AbortSignal },
): Promise<ThreadPages> {
  return callPage(routes.chatThreads, { query: { q, cursor }, ...(signal && { signal }) })
}
