import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ContactMessage, StaffChatMessage } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import type { ChatThread, ThreadChange } from '#contract/staff-chat.ts'
import { call } from '#web/wire/call.ts'
import { fetchAgain, refresh } from '#web/wire/read.ts'
import { upload } from '#web/wire/upload.ts'
import { formFields } from '../../chat/Attachments.tsx'

const path = routes.chatThreads.path

/** @returns null if there is no such thread */
export function oneThread(id: string) {
  return queryOptions({
    queryKey: [path, 'one', id],
    queryFn: async ({ signal }): Promise<ChatThread | null> => {
      const [thread] = await call(routes.chatThreads, { query: { id }, signal })
      return thread ?? null
    },
  })
}

/** Whether anybody has written in it. Until then, its id is the seller's. */
export function isBegun({ id, userId }: ChatThread): boolean {
  return id !== userId
}

/** The thread that has waited longest for a reply, except the open one; undefined if no other waits. */
export async function findLongestWaiting(openId: string | undefined): Promise<ChatThread | undefined> {
  const query = { show: 'waiting', sort: 'waiting', limit: '2' } as const
  const threads = await call(routes.chatThreads, { query })
  return threads.find(({ id }) => id !== openId)
}

/** The conversation with a seller that has no thread yet. */
export function newThreadKey(userId: string) {
  return [path, 'with', userId]
}

/** @returns null if nobody has written in it yet */
export async function findUserThread(userId: string, signal: AbortSignal): Promise<ChatThread | null> {
  const [thread] = await call(routes.chatThreads, { query: { userId }, signal })
  return thread ?? null
}

/** Refetches all threads on screen. */
export function refreshThreads(client: QueryClient): Promise<void> {
  return refresh(client, routes.chatThreads, routes.chatCounts)
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
  { submissionId, photos, ...draft }: Reply,
): Promise<ThreadMessage> {
  const name = nameOf(thread)
  if ('userId' in name && photos.files.length > 0) {
    const fields = formFields({ ...name, ...draft, submissionId })
    return upload(routes.replyToUser, { fields, ...photos })
  }
  return 'userId' in name
    ? call(routes.replyToUser, { body: { ...name, ...draft, submissionId } })
    : call(routes.replyToContact, { body: { ...name, ...draft } })
}

interface Reply {
  readonly message: string
  readonly clientId: string
  readonly submissionId: string | undefined
  /** Only for sellers. */
  readonly photos: { readonly files: readonly File[]; readonly onProgress: (share: number) => void }
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
