import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { call } from '#web/wire/call.ts'
import { fetchAgain } from '#web/wire/read.ts'
import { putThread, type ThreadPages } from './thread-list.ts'

/** Where threads are kept in the browser: lists by what was searched for, and the one that is open. */

const path = routes.chatThreads.path
const lists = [path, 'list']
const begun = [path, 'with']

export function listKey(q: string) {
  return [...lists, q]
}

/** One thread by its id; null when there is none. */
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

/** The conversation with a seller whom nobody has written to yet. */
export function newThreadKey(userId: string) {
  return [...begun, userId]
}

/** A seller's thread, or null: nobody has written in it. */
export async function findUserThread(userId: string, signal: AbortSignal): Promise<ChatThread | null> {
  const [thread] = await call(routes.chatThreads, { query: { userId }, signal })
  return thread ?? null
}

/** Fetches the lists' first pages again, where they are shown; a seller's first message makes a thread. */
export async function refreshLists(client: QueryClient): Promise<void> {
  await Promise.all([lists, begun].map((queryKey) => fetchAgain(client, { queryKey })))
}

/** Looks at one thread, and shows in every list what is new about it. Where no chat is shown, it can wait. */
export function refreshThread(client: QueryClient, id: string): Promise<unknown> {
  const shown = client.getQueryCache().findAll({ queryKey: [path], type: 'active' })
  if (shown.length === 0) return fetchAgain(client, { queryKey: [path] })
  // That it failed is no matter: the next look is not far.
  return client.fetchQuery({ ...oneThread(client, id), staleTime: 0 }).catch(() => undefined)
}

/** The same where it is open; a list knows by its first page. */
export function refreshOpenThread(client: QueryClient, id: string): Promise<void> {
  return fetchAgain(client, { queryKey: oneThread(client, id).queryKey })
}

export function refreshMessages(client: QueryClient, threadId: string): Promise<void> {
  return fetchAgain(client, { queryKey: messagesKey(threadId) })
}

export function messagesKey(threadId: string): unknown[] {
  return [routes.chatMessages.path, threadId]
}
