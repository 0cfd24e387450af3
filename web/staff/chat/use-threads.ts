import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { ANSWERING_SECONDS } from '#domain/chat.ts'
import { call, callPage } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { addPage, joinTop, keepSame, type ThreadPages } from './thread-list.ts'
import { findUserThread, listKey, newThreadKey, oneThread } from './thread-queries.ts'

/** Polling interval while the live channel is down (spec section 9). */
const POLL_THREADS_MS = 5000

/** Milliseconds to the next poll. While live, only "is answering" needs one, because it expires without a push. */
function pollInterval(live: boolean, answering?: unknown): number | false {
  if (!live) return POLL_THREADS_MS
  return answering ? (ANSWERING_SECONDS * 1000) / 2 : false
}

export type Threads = ReturnType<typeof useThreads>

/** The loaded conversations of a search. Refetching loads only the first page, no matter how many are loaded. */
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
      pollInterval(
        live,
        state.data?.rows.some(({ answeringBy }) => answeringBy),
      ),
    // Shows the previous list while the next one loads.
    placeholderData: keepPreviousData,
  })
  const more = useMutation({
    // One key per search, so that a new search does not show the previous one's error.
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
      /** undefined when everything is loaded */
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

/** What the address asks for. */
interface ThreadQuery {
  thread: string | undefined
  /** The id of a seller, with or without a thread. */
  user: string | undefined
}

export type OpenThread =
  | { state: 'none' | 'loading' | 'missing' }
  | { state: 'failed'; error: Error; retry: () => void }
  | { state: 'open'; thread: ChatThread }

/**
 * The conversation that the address names, even if the list does not show it.
 * @param listed shown until the answer arrives
 */
export function useOpenThread(asked: ThreadQuery, listed: ChatThread | undefined, live: boolean): OpenThread {
  const client = useQueryClient()
  const { thread: id, user } = asked
  const byId = useQuery({
    ...oneThread(client, id ?? ''),
    enabled: id !== undefined,
    ...(listed && { placeholderData: listed }),
    refetchInterval: ({ state }) => pollInterval(live, state.data?.answeringBy),
  })
  const bySeller = useQuery({
    queryKey: newThreadKey(user ?? ''),
    queryFn: ({ signal }) => findOrBegin(user ?? '', signal),
    enabled: id === undefined && user !== undefined,
    refetchInterval: pollInterval(live),
  })
  if (id === undefined && user === undefined) return { state: 'none' }
  const { data, error, refetch } = id === undefined ? bySeller : byId
  if (data) return { state: 'open', thread: data }
  // The server refuses text that is not an id with 400.
  if (data === null || (error instanceof ApiError && error.status === 400)) return { state: 'missing' }
  return error ? { state: 'failed', error, retry: () => void refetch() } : { state: 'loading' }
}

/** The seller's thread, or an empty one until the first message; null if there is no such seller. */
async function findOrBegin(userId: string, signal: AbortSignal): Promise<ChatThread | null> {
  const [thread, [seller]] = await Promise.all([
    findUserThread(userId, signal),
    call(routes.staffUsers, { query: { q: userId }, signal }),
  ])
  if (thread) return thread
  if (!seller || seller.id !== userId) return null
  return {
    id: userId,
    type: 'user',
    userId,
    sessionId: null,
    username: seller.username,
    userEmail: seller.email,
    subject: null,
    lastMessage: '',
    lastMessageTime: seller.createdAt,
    lastMessageIsReply: false,
    unreadCount: 0,
    answeringBy: null,
  }
}
