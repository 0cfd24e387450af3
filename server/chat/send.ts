import { v7 as uuidv7 } from 'uuid'
import type { LiveMessage } from '#contract/live.ts'
import { preview, SUPPORT_NAME } from '#domain/chat.ts'
import type { Transaction } from '#server/database/pool.ts'
import { type Delivery, publish } from '#server/live/publish.ts'
import * as messageQueries from './message-queries.ts'
import { mailIfUnread } from './reply-mail.ts'
import * as threadQueries from './thread-queries.ts'

/** Code points of a message in the list of threads, and in a push (of which a notification holds 8000 bytes). */
const LISTED = 300
const PUSHED = 200

export interface NewMessage {
  readonly message: string
  /** The same one again is the same message. */
  readonly clientId?: string | undefined
  /** The member of staff who replies; without, it is the customer's. */
  readonly staff?: { readonly id: string; readonly username: string }
  /** What to push and to list instead of the message. */
  readonly pushed?: string
}

export interface Sent {
  /** false: it had been sent before, and this is the first one. */
  readonly created: boolean
  readonly row: messageQueries.MessageRow
}

/** Stores a message in a locked thread, keeps the thread's row in step and tells the other side. */
export async function send(
  tx: Transaction,
  lockedThread: threadQueries.ThreadRow,
  { message, clientId, staff, pushed = message }: NewMessage,
): Promise<Sent> {
  const { thread } = lockedThread
  const place = { threadId: thread.id, isAdminReply: staff !== undefined }
  const before = clientId && (await messageQueries.findByClientId(tx, { ...place, clientId }))
  if (before) return { created: false, row: before }
  const stored = await messageQueries.insertMessage(tx, {
    ...place,
    id: uuidv7(),
    message,
    clientId: clientId ?? null,
    adminUserId: staff?.id ?? null,
  })
  await threadQueries.noteMessage(tx, stored, preview(pushed, LISTED))
  if (thread.contactSessionId) {
    await threadQueries.touchContactSession(tx, thread.contactSessionId, stored.createdAt)
  }
  await publish(tx, [delivery(lockedThread, preview(pushed, PUSHED), staff !== undefined)])
  if (staff) {
    await tellStaff(tx, thread.id, 'replied')
    await mailIfUnread(tx, thread.id, thread.customerMailedNumber)
  }
  return { created: true, row: { message: stored, adminUsername: staff?.username ?? null } }
}

/** Keeps the screens of all staff current about a thread. */
export async function tellStaff(
  tx: Transaction,
  threadId: string,
  what: Extract<LiveMessage, { type: 'THREAD_UPDATE' }>['what'],
): Promise<void> {
  await publish(tx, [{ to: 'staff', message: { type: 'THREAD_UPDATE', threadId, what } }])
}

/** A customer's message goes to staff, a reply to that customer alone. */
function delivery(
  { thread: { id: threadId, userId }, sessionId, username }: threadQueries.ThreadRow,
  message: string,
  isReply: boolean,
): Delivery {
  const type = 'NEW_CHAT_MESSAGE'
  if (userId !== null) {
    const push = { type, message, userId } as const
    return isReply
      ? { to: { userId }, message: { ...push, username: SUPPORT_NAME } }
      : { to: 'staff', message: { ...push, threadId, username } }
  }
  if (sessionId === null) throw new Error('A thread without a customer')
  const push = { type, message, sessionId } as const
  return isReply
    ? { to: { sessionId }, message: { ...push, username: SUPPORT_NAME } }
    : { to: 'staff', message: { ...push, threadId, username } }
}
