import { v7 as uuidv7 } from 'uuid'
import type {
  ChatMessage,
  ContactForm,
  ContactMessage,
  MessagesPage,
  StaffChatMessage,
} from '#contract/chat.ts'
import type { ThreadsPage } from '#contract/staff-chat.ts'
import { composeContactMessage } from '#domain/chat.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/database/pool.ts'
import { transaction } from '#server/database/transaction.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import { newToken } from '#server/sessions/token.ts'
import * as answeringQueries from './answering-queries.ts'
import * as messageQueries from './message-queries.ts'
import { type NewMessage, send, tellStaff } from './send.ts'
import * as threadListQueries from './thread-list-queries.ts'
import * as threadQueries from './thread-queries.ts'
import { toChatMessage, toContactMessage, toStaffChatMessage, toStaffContactMessage } from './views.ts'

export type { ThreadName } from './thread-queries.ts'

/** What a sender says of a message. */
export type Draft = Pick<NewMessage, 'message' | 'clientId'>

/** A page of messages, oldest first, and whether there are older ones. */
export interface Messages<Message> {
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
}

export interface SentMessage<Message> {
  readonly created: boolean
  readonly message: Message
}

type ToMessage<Message> = (row: messageQueries.MessageRow, thread: threadQueries.ThreadRow) => Message

// What visitors do: the session id is all that names and admits them

/** @returns the visitor's key to the new thread: 256 random bits */
export async function startContact({ db }: Context, form: ContactForm): Promise<{ sessionId: string }> {
  const { message, ...person } = form
  const [id, sessionId] = [uuidv7(), newToken()]
  await transaction(db, async (tx) => {
    await threadQueries.insertContactSession(tx, { id, sessionId, ...person })
    await threadQueries.insertContactThread(tx, uuidv7(), id)
    const lockedThread = found(await threadQueries.lockThread(tx, { sessionId }))
    await send(tx, lockedThread, { message: composeContactMessage(form), pushed: message })
  })
  return { sessionId }
}

/**
 * A visitor who fetches the newest messages has read them, unless they only peek: from a page that nobody sees.
 * @param reader staff are told who replied
 */
export async function readContact(
  { db }: Context,
  reader: Staff | undefined,
  { sessionId, peek, ...page }: MessagesPage & { sessionId: string; peek?: 'true' | undefined },
): Promise<Messages<ContactMessage>> {
  const thread = found(await threadQueries.findThread(db, { sessionId }))
  const reads = !reader && !peek && page.before === undefined && thread.thread.customerUnread > 0
  if (reads) await threadQueries.markRead(db, { sessionId }, 'customer')
  return readThread(db, thread, page, reader ? toStaffContactMessage : toContactMessage)
}

export function sendContactMessage(context: Context, sessionId: string, draft: Draft) {
  return sendIn(context, { sessionId }, draft, toContactMessage)
}

/** Whether the visitor's key opens a thread. */
export async function hasContactThread({ db }: Context, sessionId: string): Promise<boolean> {
  return (await threadQueries.findThread(db, { sessionId })) !== undefined
}

// What sellers do

export async function readOwnChat(
  { db }: Context,
  { id: userId }: Seller,
  page: MessagesPage,
): Promise<Messages<ChatMessage>> {
  const thread = await threadQueries.findThread(db, { userId })
  return thread ? readThread(db, thread, page, toChatMessage) : { messages: [], hasOlder: false }
}

export function sendOwnMessage(context: Context, { id: userId }: Seller, draft: Draft) {
  return sendIn(context, { userId }, draft, toChatMessage)
}

export function countOwnUnread({ db }: Context, { id }: Seller): Promise<number> {
  return threadQueries.countUnread(db, id)
}

export async function markOwnRead({ db }: Context, { id: userId }: Seller): Promise<void> {
  await threadQueries.markRead(db, { userId }, 'customer')
}

// What staff do

/** A page of threads with the newest message first. */
export async function listThreads({ db }: Context, staff: Staff, page: ThreadsPage) {
  const [rows, total] = await Promise.all([
    threadListQueries.listThreads(db, staff.id, page),
    threadListQueries.countThreads(db, page),
  ])
  return { rows, total }
}

export async function readUserThread(
  { db }: Context,
  { userId, ...page }: MessagesPage & { userId: string },
): Promise<Messages<StaffChatMessage>> {
  const thread = await findThreadOrNone(db, { userId })
  return thread ? readThread(db, thread, page, toStaffChatMessage) : { messages: [], hasOlder: false }
}

export function replyToUser(context: Context, staff: Staff, userId: string, draft: Draft) {
  return sendIn(context, { userId }, { ...draft, staff }, toStaffChatMessage)
}

export function replyToContact(context: Context, staff: Staff, sessionId: string, draft: Draft) {
  return sendIn(context, { sessionId }, { ...draft, staff }, toStaffContactMessage)
}

export async function markRead({ db }: Context, name: threadQueries.ThreadName): Promise<void> {
  const thread = await findThreadOrNone(db, name)
  if (!thread) return
  await transaction(db, async (tx) => {
    if (await threadQueries.markRead(tx, name, 'staff')) await tellStaff(tx, thread.thread.id, 'read')
  })
}

/** Says that one is writing a reply, or no longer. @returns who else is */
export async function answerThread(
  { db }: Context,
  { id: staffId }: Staff,
  name: threadQueries.ThreadName,
  answering: boolean,
): Promise<string | null> {
  const thread = await findThreadOrNone(db, name)
  if (!thread) return null
  const { id } = thread.thread
  await transaction(db, async (tx) => {
    await (answering
      ? answeringQueries.takeAnswering(tx, id, staffId)
      : answeringQueries.endAnswering(tx, id, staffId))
    await tellStaff(tx, id, 'answering')
  })
  return (await answeringQueries.findAnswering(db, id, staffId)) ?? null
}

// What they have in common

async function sendIn<Message>(
  { db }: Context,
  name: threadQueries.ThreadName,
  message: NewMessage,
  toMessage: ToMessage<Message>,
): Promise<SentMessage<Message>> {
  return transaction(db, async (tx) => {
    const lockedThread = found((await threadQueries.lockThread(tx, name)) ?? (await openThread(tx, name)))
    const { created, row } = await send(tx, lockedThread, message)
    return { created, message: toMessage(row, lockedThread) }
  })
}

/** A seller's thread begins with its first message; a contact thread is there or it isn't. */
async function openThread(
  tx: Transaction,
  name: threadQueries.ThreadName,
): Promise<threadQueries.ThreadRow | undefined> {
  if (!('userId' in name)) return undefined
  await threadQueries.openUserThread(tx, uuidv7(), name.userId)
  return threadQueries.lockThread(tx, name)
}

async function readThread<Message>(
  db: Context['db'],
  thread: threadQueries.ThreadRow,
  page: Pick<MessagesPage, 'before' | 'limit'>,
  toMessage: ToMessage<Message>,
): Promise<Messages<Message>> {
  const rows = await messageQueries.listMessages(db, thread.thread.id, page)
  const shown = rows.slice(0, page.limit).reverse()
  return { messages: shown.map((row) => toMessage(row, thread)), hasOlder: rows.length > page.limit }
}

/** The thread; none for a seller whom nobody has written to yet. Throws 404 for an unknown customer. */
async function findThreadOrNone(db: Context['db'], name: threadQueries.ThreadName) {
  const thread = await threadQueries.findThread(db, name)
  if (!thread && !('userId' in name && (await threadQueries.userExists(db, name.userId)))) throw notFound()
  return thread
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw notFound()
  return row
}
