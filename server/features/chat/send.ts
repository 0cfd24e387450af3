import { v7 as uuidv7 } from 'uuid'
import type { LiveMessage } from '#contract/live.ts'
import { maskCards } from '#domain/card-number.ts'
import { preview } from '#domain/chat.ts'
import { enqueuePushes } from '#server/features/notifications/actions.ts'
import { insertPhotos } from '#server/features/submissions/photos.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { type Delivery, publish } from '#server/platform/live/publish.ts'
import type { StoredPhotos } from './photos.ts'
import * as queries from './queries.ts'
import { mailIfUnread } from './reply-mail.ts'

/** Code points of a message in the list of threads. */
const LISTED_LENGTH = 300
/** Code points of a message in a push: PostgreSQL's notifications hold 8000 bytes. */
const PUSHED_LENGTH = 200
/** The sender of replies in pushes to customers, who never see an administrator's username. */
const SUPPORT_NAME = 'Support agent'

/** Seconds that a seller with an open chat has to see a reply before it is pushed. */
const PUSH_AFTER_SECONDS = 15

export interface NewMessage {
  readonly message: string
  /** A message with the same one is not stored again. */
  readonly clientId?: string | undefined
  /** Its photos, whose files are stored. */
  readonly photos?: StoredPhotos
  /** The submission that the conversation is about from now on. null: none; undefined: unchanged. */
  readonly submissionId?: string | null | undefined
  /** The administrator who replies; undefined for a customer's message. */
  readonly staff?: { readonly id: string; readonly username: string }
  /** The text to push and to list instead of the message. */
  readonly pushed?: string
}

export interface Sent {
  /** False if it had been sent before; `row` is the earlier one. */
  readonly created: boolean
  readonly row: queries.MessageRow
  readonly thread: queries.ThreadRow
}

/** Stores a message in a locked thread, updates the thread's row and pushes it to the other side. */
export async function send(
  tx: Transaction,
  lockedThread: queries.ThreadRow,
  { message, clientId, photos, submissionId, staff, pushed = message }: NewMessage,
): Promise<Sent> {
  const { thread } = lockedThread
  const sender = { threadId: thread.id, isAdminReply: staff !== undefined }
  const earlier = clientId && (await queries.findByClientId(tx, { ...sender, clientId }))
  if (earlier) return { created: false, row: earlier, thread: lockedThread }
  const stored = await queries.insertMessage(tx, {
    ...sender,
    id: photos?.messageId ?? uuidv7(),
    dataKey: photos?.dataKey ?? null,
    photoCount: photos?.rows.length ?? 0,
    message,
    clientId: clientId ?? null,
    adminUserId: staff?.id ?? null,
  })
  if (photos) await insertPhotos(tx, photos.rows)
  const forStaff = maskCards(pushed)
  await queries.noteMessage(tx, stored, preview(forStaff, LISTED_LENGTH), submissionId)
  if (thread.contactSessionId) {
    await queries.touchContactSession(tx, thread.contactSessionId, stored.createdAt)
  }
  const pushedText = preview(staff ? pushed : forStaff, PUSHED_LENGTH)
  await publish(tx, [delivery(lockedThread, pushedText, staff !== undefined)])
  if (staff) {
    await pushThreadUpdate(tx, thread.id, 'replied')
    await mailIfUnread(tx, thread.id, thread.customerMailedNumber)
    const news = { about: 'reply', threadId: thread.id, number: stored.number } as const
    if (thread.userId) await enqueuePushes(tx, thread.userId, news, PUSH_AFTER_SECONDS)
  }
  const photoNames = photos?.rows.map(({ name }) => name) ?? []
  const row = { message: stored, adminUsername: staff?.username ?? null, photoNames }
  return { created: true, row, thread: lockedThread }
}

/** Tells the screens of staff who chat that a thread has changed. */
export async function pushThreadUpdate(
  tx: Transaction,
  threadId: string,
  what: Extract<LiveMessage, { type: 'THREAD_UPDATE' }>['what'],
): Promise<void> {
  await publish(tx, [{ to: 'chat staff', message: { type: 'THREAD_UPDATE', threadId, what } }])
}

/** A customer's message goes to staff who chat, a reply to that customer. */
function delivery(
  { thread: { id: threadId, userId }, sessionId, visitorKey, username }: queries.ThreadRow,
  message: string,
  isReply: boolean,
): Delivery {
  const type = 'NEW_CHAT_MESSAGE'
  if (userId !== null) {
    const push = { type, message, userId } as const
    return isReply
      ? { to: { userId }, message: { ...push, username: SUPPORT_NAME } }
      : { to: 'chat staff', message: { ...push, threadId, username } }
  }
  if (sessionId === null || visitorKey === null) throw new Error('A thread without a customer')
  const visitor = { sessionId: visitorKey }
  return isReply
    ? { to: visitor, message: { type, message, ...visitor, username: SUPPORT_NAME } }
    : { to: 'chat staff', message: { type, message, sessionId, threadId, username } }
}
