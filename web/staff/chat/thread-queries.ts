import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ContactMessage, StaffChatMessage } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import type { ChatThread, ThreadChange } from '#contract/staff-chat.ts'
import { call } from '#web/wire/call.ts'
import { fetchAgain, refresh } from '#web/wire/read.ts'
import { type LoadedList, refetchFirstPages, withRow } from '../list/loaded-list.ts'

const path = routes.chatThreads.path
const begun = [path, 'with']

/** @returns null if there is no such thread */
export function oneThread(client: QueryClient, id: string) {
  return queryOptions({
    queryKey: [path, 'one', id],
    queryFn: async ({ signal }): Promise<ChatThread | null> => {
      const [thread] = await call(routes.chatThreads, { query: { id }, signal })
      if (thread) putThread(client, thread)
      return thread ?? null
    },
  })
}

/** Whether anybody has written in it. Until then, its id is the seller's. */
export function isBegun({ id, userId }: ChatThread): boolean {
  return id !== userId
}

/** The unread thread that waits longest; undefined if nothing is unread. */
export async function findOldestUnread(): Promise<ChatThread | undefined> {
  const [thread] = await call(routes.chatThreads, { query: { show: 'unread', sort: 'waiting', limit: '1' } })
  return thread
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

/**
 * Updates a thread in the lists if it has no new message. A new message changes its position, which only the next first
 * page shows.
 */
export function putThread(client: QueryClient, thread: ChatThread): void {
  const put = (known: ChatThread) => (known.lastMessageTime === thread.lastMessageTime ? thread : known)
  client.setQueriesData<LoadedList<ChatThread>>(
    { queryKey: [path, 'pages'] },
    (list) => list && withRow(list, thread.id, put),
  )
}

/** Fetches the lists again, and conversations without a thread: a first message creates one. */
export async function refreshLists(client: QueryClient): Promise<void> {
  // Sorted by waiting time, a thread with a new message moves anywhere, not to the top.
  const hasLongestWaiting = client
    .getQueryCache()
    .findAll({ queryKey: [path, 'pages', { sort: 'waiting' }], type: 'active' })
  await Promise.all([
    hasLongestWaiting.length > 0
      ? fetchAgain(client, { queryKey: [path, 'pages'] })
      : refetchFirstPages<ChatThread>(client, routes.chatThreads, () => threadRank),
    fetchAgain(client, { queryKey: begun }),
    refresh(client, routes.chatCounts),
  ])
}

/** Fetches everything about threads again. One that changes its state may leave or enter a list anywhere. */
export function refreshThreads(client: QueryClient): Promise<void> {
  return refresh(client, routes.chatThreads, routes.chatCounts)
}

/** The list is sorted by this, newest first. A thread only ever moves to the top. */
export const threadRank = ({ lastMessageTime }: ChatThread) => lastMessageTime

/** Fetches one thread and updates it in every list. Waits while no chat is on screen. */
export async function refreshThread(client: QueryClient, id: string): Promise<unknown> {
  const shown = client.getQueryCache().findAll({ queryKey: [path], type: 'active' })
  if (shown.length === 0) return fetchAgain(client, { queryKey: [path] })
  const query = oneThread(client, id)
  // A fetch that is under way may be older than the change.
  await client.cancelQueries({ queryKey: query.queryKey })
  // If it fails, the next push or poll fetches it.
  return client.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined)
}

/** Fetches the thread if it is open. */
export function refreshOpenThread(client: QueryClient, id: string): Promise<void> {
  return fetchAgain(client, { queryKey: oneThread(client, id).queryKey })
}

export function refreshMessages(client: QueryClient, threadId: string): Promise<void> {
  return fetchAgain(client, { queryKey: messagesKey(threadId) })
}

/** Adds a reply that was just sent, so that it shows before the messages are fetched again. */
export function showReply(client: QueryClient, threadId: string, reply: ThreadMessage): void {
  client.setQueryData<ThreadMessage[]>(messagesKey(threadId), (known) =>
    known?.some(({ id }) => id === reply.id) ? known : known && [...known, reply],
  )
}

export function messagesKey(threadId: string): unknown[] {
  return [routes.chatMessages.path, threadId]
}

// Sellers' and visitors' threads have different routes. Only the functions below know.

export type ThreadMessage = StaffChatMessage | ContactMessage

/** The newest messages, or those before `before`; oldest first. */
export async function readMessages(
  thread: ChatThread,
  { signal, ...page }: { before?: string; signal?: AbortSignal },
): Promise<ThreadMessage[]> {
  const name = nameOf(thread)
  const options = { ...(signal && { signal }) }
  return 'userId' in name
    ? call(routes.chatMessages, { query: { ...name, ...page }, ...options })
    : call(routes.contactMessages, { query: { ...name, ...page }, ...options })
}

export async function sendReply(
  thread: ChatThread,
  message: string,
  clientId: string,
): Promise<ThreadMessage> {
  const name = nameOf(thread)
  return 'userId' in name
    ? call(routes.replyToUser, { body: { ...name, message, clientId } })
    : call(routes.replyToContact, { body: { ...name, message, clientId } })
}

export async function markRead(thread: ChatThread): Promise<unknown> {
  return call(routes.markThreadRead, { body: nameOf(thread) })
}

export async function changeThread(thread: ChatThread, change: ThreadChange): Promise<ChatThread> {
  return call(routes.changeThread, { body: { ...nameOf(thread), ...change } })
}

export async function reportAnswering(thread: ChatThread, answering: boolean): Promise<unknown> {
  return call(routes.answerThread, { body: { ...nameOf(thread), answering } })
}

function nameOf({ userId, sessionId }: ChatThread): { userId: string } | { sessionId: string } {
  return userId ? { userId } : { sessionId: sessionId ?? '' }
}
