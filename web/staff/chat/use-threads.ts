import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { ANSWERING_SECONDS, type ThreadListName } from '#domain/chat.ts'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { type PagedList, usePagedList } from '../list/use-paged-list.ts'
import { findUserThread, newThreadKey, oneThread, refreshThreads } from '../shell/thread-queries.ts'

/** Polling interval while the live channel is down (spec section 9). */
const POLL_THREADS_MS = 5000

/** A snooze ends without a push. */
const POLL_SNOOZES_MS = 60_000

/** Milliseconds to the next poll. While live, only "is answering" needs one, because it expires without a push. */
function pollInterval(live: boolean, answering?: unknown): number | false {
  if (!live) return POLL_THREADS_MS
  return answering ? (ANSWERING_SECONDS * 1000) / 2 : false
}

interface ThreadsQuery {
  show: ShownList
  q: string
  sort: 'waiting' | 'newest'
}

/** The loaded conversations of a list and a search. */
export function useThreads({ show, ...rest }: ThreadsQuery, live: boolean): PagedList<ChatThread> {
  const client = useQueryClient()
  const list = usePagedList(routes.chatThreads, { show: show === 'all' ? undefined : show, ...rest })
  const isAnswered = list.rows.some(({ answeringBy }) => answeringBy)
  const interval = pollInterval(live, isAnswered) || POLL_SNOOZES_MS
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void refreshThreads(client), interval)
    return () => clearInterval(timer)
  }, [client, interval])
  return list
}

export type ShownList = ThreadListName | 'all'

/** What the address asks for. */
interface ThreadQuery {
  thread: string | undefined
  /** The id of a seller, with or without a thread. */
  user: string | undefined
}

/**
 * The conversation that the address names, even if the list does not show it.
 * @param listed shown until the answer arrives
 */
export function useOpenThread(asked: ThreadQuery, listed: ChatThread | undefined, live: boolean) {
  const { thread: id, user } = asked
  const byId = useQuery({
    ...oneThread(id ?? ''),
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
  const query = id === undefined ? bySeller : byId
  return {
    query,
    thread: query.data ?? undefined,
    isAsked: id !== undefined || user !== undefined,
    // The server refuses text that is not an id with 400.
    isMissing: query.data === null || (query.error instanceof ApiError && query.error.status === 400),
  }
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
    locale: seller.locale,
    subject: null,
    about: null,
    lastMessage: '',
    lastMessageTime: seller.createdAt,
    lastMessageIsReply: false,
    waitingSince: null,
    unreadCount: 0,
    answeringBy: null,
    state: 'open',
    snoozedUntil: null,
    assignedTo: null,
  }
}
