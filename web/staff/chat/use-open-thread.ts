import { useQuery, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { findUserThread, newThreadKey, oneThread } from './thread-queries.ts'
import { pause } from './use-threads.ts'

/** What the address asks for. */
export interface Asked {
  thread: string | undefined
  /** A seller, who need not have a thread yet. */
  user: string | undefined
}

export type OpenThread =
  | { state: 'none' | 'loading' | 'missing' }
  | { state: 'failed'; error: Error; retry: () => void }
  | { state: 'open'; thread: ChatThread }

/**
 * The conversation that the address names, wherever it stands in the list and whatever is searched for.
 * @param listed the same as far as the list knows it: shown at once
 */
export function useOpenThread(asked: Asked, listed: ChatThread | undefined, live: boolean): OpenThread {
  const client = useQueryClient()
  const { thread: id, user } = asked
  const byId = useQuery({
    ...oneThread(client, id ?? ''),
    enabled: id !== undefined,
    ...(listed && { placeholderData: listed }),
    refetchInterval: ({ state }) => pause(live, state.data?.answeringBy),
  })
  const bySeller = useQuery({
    queryKey: newThreadKey(user ?? ''),
    queryFn: ({ signal }) => findOrBegin(user ?? '', signal),
    enabled: id === undefined && user !== undefined,
    refetchInterval: pause(live),
  })
  if (id === undefined && user === undefined) return { state: 'none' }
  const { data, error, refetch } = id === undefined ? bySeller : byId
  if (data) return { state: 'open', thread: data }
  // An address that is no id at all names nothing either.
  if (data === null || (error instanceof ApiError && error.status === 400)) return { state: 'missing' }
  return error ? { state: 'failed', error, retry: () => void refetch() } : { state: 'loading' }
}

/** A seller's thread, or what stands for one until the first message; null: there is no such seller. */
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
