import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ContactMessage, StaffChatMessage } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { call } from '#web/wire/call.ts'
import { fetchAgain } from '#web/wire/read.ts'
import { putThread, type ThreadPages } from './thread-list.ts'

const path = routes.chatThreads.path
const lists = [path, 'list']
const begun = [path, 'with']

export function listKey(q: string) {
  return [...lists, q]
}

/** @returns null if there is no such thread */
export function oneThread(client: QueryClient, id: string) {
  return queryOptions({
    queryKey: [path, 'one', id],
    queryFn: async ({ signal }): Promise<ChatThread | null> => {
      const [thread] = await call(routes.chatThreads, { query: { id }, signal })
      if (thread) client.setQueriesData<ThreadPages>({ queryKey: lists }, (known) => putThread(known, thread))
      return thread ?? null
    },
  })
}

/** The conversation with a seller that has no thread yet. */
export function newThreadKey(userId: string) {
  return [...begun, userId]
}

/** @returns null if nobody has written in it yet */
export async function findUserThread(userId: string, signal: AbortSignal): Promise<ChatThread | null> {
  const [thread] = await call(routes.chatThreads, { query: { userId }, signal })
  return thread ?? null
}

/** Fetches the lists again, and conversations without a thread: a first message creates one. */
export async function refreshLists(client: QueryClient): Promise<void> {
  await Promise.all([lists, begun].map((queryKey) => fetchAgain(client, { queryKey })))
}

/** Fetches one thread and updates it in every list. Waits while no chat is on screen. */
export function refreshThread(client: QueryClient, id: string): Promise<unknown> {
  const shown = client.getQueryCache().findAll({ queryKey: [path], type: 'active' })
  if (shown.length === 0) return fetchAgain(client, { queryKey: [path] })
  // If it fails, the next push or poll fetches it.
  return client.fetchQuery({ ...oneThread(client, id), staleTime: 0 }).catch(() => undefined)
}

/** Fetches the thread if it is open. */
export function refreshOpenThread(client: QueryClient, id: string): Promise<void> {
  return fetchAgain(client, { queryKey: oneThread(client, id).queryKey })
}

export function refreshMessages(client: QueryClient, threadId: string): Promise<void> {
  return fetchAgain(client, { queryKey: messagesKey(threadId) })
}

export function messagesKey(threadId: string): unknown[] {
  return [routes.chatMessages.path, threadId]
}

// Sellers' and visitors' threads have different routes. Only the functions below know.

export type ThreadMessage = StaffChatMessage | ContactMessage

/** The newest messages, or those before `before`; oldest first. */
export async function readMessages(
  thread: ChatThread,
  { before, signal }: { before?: string; signal?: AbortSignal },
): Promise<ThreadMessage[]> {
  const { userId, sessionId } = thread
  const options = { ...(signal && { signal }) }
  const page = { ...(before && { before }) }
  if (userId) return call(routes.chatMessages, { query: { userId, ...page }, ...options })
  return call(routes.contactMessages, { query: { sessionId: sessionId ?? '', ...page }, ...options })
}

export async function sendReply(thread: ChatThread, message: string, clientId: string): Promise<unknown> {
  const { userId, sessionId } = thread
  if (userId) return call(routes.replyToUser, { body: { userId, message, clientId } })
  return call(routes.replyToContact, { body: { sessionId: sessionId ?? '', message, clientId } })
}

export async function markRead(thread: ChatThread): Promise<unknown> {
  return call(routes.markThreadRead, { body: nameOf(thread) })
}

export async function sayAnswering(thread: ChatThread, answering: boolean): Promise<unknown> {
  return call(routes.answerThread, { body: { ...nameOf(thread), answering } })
}

function nameOf({ userId, sessionId }: ChatThread): { userId: string } | { sessionId: string } {
  return userId ? { userId } : { sessionId: sessionId ?? '' }
}
