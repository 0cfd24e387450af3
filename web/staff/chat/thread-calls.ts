import type { ContactMessage, StaffChatMessage } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { call } from '#web/wire/call.ts'

/** A seller's thread and a visitor's are one to the screen; only here they are called by different routes. */

export type ThreadMessage = StaffChatMessage | ContactMessage

/** The newest messages, or the ones before one of them; oldest first. */
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

/** Says that one is writing, or has stopped. */
export async function sayAnswering(thread: ChatThread, answering: boolean): Promise<unknown> {
  return call(routes.answerThread, { body: { ...nameOf(thread), answering } })
}

function nameOf({ userId, sessionId }: ChatThread): { userId: string } | { sessionId: string } {
  return userId ? { userId } : { sessionId: sessionId ?? '' }
}
