import { v7 as uuidv7 } from 'uuid'
import type { ContactForm, MessagesPage } from '#contract/chat.ts'
import type { ThreadChange, ThreadsPage } from '#contract/staff-chat.ts'
import { ANSWERING_SECONDS } from '#domain/chat.ts'
import { may } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { newToken } from '#server/features/accounts/sessions/cookies.ts'
import { record, recordReveal } from '#server/features/audit/actions.ts'
import { lockColleague, pushAssigned } from '#server/features/claims/actions.ts'
import type { ReceivedPhoto } from '#server/features/submissions/photos.ts'
import { type Seller, type Staff, signedOut } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { chatThreads, contactSessions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { endSockets, publish } from '#server/platform/live/publish.ts'
import type { Translate } from '#words/translate.ts'
import { withStoredPhotos } from './photos.ts'
import * as queries from './queries.ts'
import { type NewMessage, pushThreadUpdate, type Sent, send } from './send.ts'
import * as threadList from './thread-list-queries.ts'

export type { ThreadName } from './queries.ts'

/** A page of messages, oldest first. */
export interface Messages {
  readonly thread: queries.ThreadRow
  readonly rows: readonly queries.MessageRow[]
  readonly hasOlder: boolean
}

/** @returns the visitor's key to the new thread: 256 random bits */
export async function startContact(
  { db }: Context,
  form: ContactForm,
  words: Translate,
): Promise<{ sessionId: string }> {
  const { message, ...person } = form
  const [id, sessionId] = [uuidv7(), newToken()]
  await transaction(db, async (tx) => {
    await tx.insert(contactSessions).values({ id, sessionId, locale: words.locale, ...person })
    await tx.insert(chatThreads).values({ id: uuidv7(), contactSessionId: id })
    const lockedThread = orNotFound(await queries.lockThread(tx, { sessionId }))
    await send(tx, lockedThread, { message: composeFirstMessage(form, words), pushed: message })
  })
  return { sessionId }
}

function composeFirstMessage(
  { firstName, lastName, email, subject, message }: ContactForm,
  words: Translate,
) {
  return words('contact.firstMessage', { subject, name: `${firstName} ${lastName}`, email, message })
}

/** The thread that a visitor's key opens. Throws 404 for an unknown or revoked key. */
export async function openContact({ db }: Context, key: string): Promise<queries.ThreadRow> {
  const thread = orNotFound(await queries.findThread(db, { key }))
  return key === thread.visitorKey ? thread : transaction(db, (tx) => acceptKey(tx, thread, key))
}

/**
 * A mailed link reaches the owner of the address, while anybody can enter it in the form. So the first use of the mailed key
 * revokes the one from the form and closes its sockets.
 */
async function acceptKey(
  tx: Transaction,
  thread: queries.ThreadRow,
  key: string,
): Promise<queries.ThreadRow> {
  if (key === thread.visitorKey) return thread
  if (key === thread.sessionId) throw new Refusal('continued_by_email', 'refusals.continued_by_email')
  const ended = await queries.noteMailedKeyUse(tx, key)
  if (ended) await endSockets(tx, [ended])
  return { ...thread, visitorKey: key }
}

/**
 * Messages of a visitor's thread. Fetching the newest page marks them as read, except when staff fetch it or the visitor
 * only peeks (the page is in a hidden tab).
 */
export async function readContact(
  context: Context,
  staff: Staff | undefined,
  { sessionId: key, peek, ...page }: MessagesPage & { sessionId: string; peek?: 'true' | undefined },
): Promise<Messages> {
  const { db } = context
  const thread = staff ? orNotFound(await queries.findThread(db, { key })) : await openContact(context, key)
  const reads = !staff && !peek && page.before === undefined && thread.thread.customerUnread > 0
  if (reads) await markSeen(db, thread.thread.id)
  const messages = await readMessages(db, thread, page)
  // The mailed link may have been opened since the check. Its key may no longer read what was written after that.
  if (!staff && thread.mailedKey && key !== thread.mailedKey) await openContact(context, key)
  return messages
}

/** Messages of a seller's thread. @returns undefined before the first one; throws 404 for an unknown seller */
export async function readSellerChat(
  { db }: Context,
  userId: string,
  page: MessagesPage,
): Promise<Messages | undefined> {
  const thread = await findThreadOrNone(db, { userId })
  return thread && readMessages(db, thread, page)
}

/** The text of a message as it was sent. Records who revealed it. */
export async function revealMessage(
  { db }: Context,
  staff: Staff,
  messageId: string,
): Promise<{ message: string }> {
  return transaction(db, async (tx) => {
    const { threadId, message } = orNotFound(await queries.findMessage(tx, messageId))
    const subject = { kind: 'thread', id: threadId } as const
    await recordReveal(tx, { actor: staff, action: 'chat.message_revealed', subject, details: { messageId } })
    return { message }
  })
}

/** Sends a customer's message, or a reply when `staff` is given. A seller's first message creates the thread. */
export async function sendMessage(
  context: Context,
  name: queries.ThreadName,
  message: Omit<NewMessage, 'photos'>,
  received: readonly ReceivedPhoto[] = [],
): Promise<Sent> {
  return withStoredPhotos(context, received, (photos) =>
    sendStored(context, name, { ...message, ...(photos && { photos }) }),
  )
}

function sendStored({ db }: Context, name: queries.ThreadName, message: NewMessage): Promise<Sent> {
  return transaction(db, async (tx) => {
    const { submissionId } = message
    // Before the thread, like everything that locks both.
    if (
      submissionId &&
      !('userId' in name && (await queries.lockSubmission(tx, submissionId, name.userId)))
    ) {
      throw notFound()
    }
    const lockedThread = (await queries.lockThread(tx, name)) ?? (await openThread(tx, name))
    // The account was deleted after the request was admitted.
    if (!lockedThread && 'userId' in name && !message.staff) throw signedOut()
    return send(tx, orNotFound(lockedThread), message)
  })
}

/** Sends a message as the visitor who has the key. */
export function sendContactMessage({ db }: Context, key: string, message: NewMessage): Promise<Sent> {
  return transaction(db, async (tx) => {
    const lockedThread = orNotFound(await queries.lockThread(tx, { key }))
    return send(tx, await acceptKey(tx, lockedThread, key), message)
  })
}

/** The card that the seller's chat is about. */
export async function readAbout({ db }: Context, { id }: Seller) {
  return (await queries.findAbout(db, id)) ?? null
}

export function countOwnUnread({ db }: Context, { id }: Seller): Promise<number> {
  return queries.countUnread(db, id)
}

export async function markOwnRead({ db }: Context, { id: userId }: Seller): Promise<void> {
  const thread = await queries.findThread(db, { userId })
  if (thread) await markSeen(db, thread.thread.id)
}

/** Marks replies as read by the customer, and shows staff that they were. */
async function markSeen(db: Context['db'], threadId: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (await queries.markRead(tx, { threadId }, 'customer')) await pushThreadUpdate(tx, threadId, 'read')
  })
}

/** A page of threads, and how many there are. */
export async function listThreads({ db }: Context, staff: Staff, page: ThreadsPage) {
  const [rows, total] = await Promise.all([
    threadList.listThreads(db, staff, page),
    threadList.countThreads(db, staff, page),
  ])
  return { rows, total }
}

/**
 * Closes, opens, snoozes or assigns a thread, or marks it as unread, and shows colleagues. The last of two concurrent changes
 * wins.
 * Throws 404 if nobody has written in it yet.
 */
export async function changeThread(
  { db }: Context,
  staff: Staff,
  name: queries.ThreadName,
  { closed, snoozedUntil, assignedTo, unread }: ThreadChange,
): Promise<threadList.ListedThreadRow> {
  const until = typeof snoozedUntil === 'string' ? new Date(snoozedUntil) : snoozedUntil
  if (until && until.getTime() <= Date.now()) throw invalid([{ path: 'snoozedUntil', code: 'snooze_past' }])
  return transaction(db, async (tx) => {
    const { thread, username } = orNotFound(await queries.lockThread(tx, name))
    const { id } = thread
    const assignee = assignedTo === 'me' ? staff.id : assignedTo === 'none' ? null : assignedTo
    const colleague = assignee && (await lockColleague(tx, assignee, (role) => may(role, 'chat')))
    await queries.changeThread(tx, id, {
      closed,
      snoozedUntil: until,
      assigned: assignee === undefined ? undefined : { to: assignee, by: staff.id },
    })
    if (assignee !== undefined && assignee !== thread.assignedTo) {
      await record(tx, {
        actor: staff,
        action: 'thread.assigned',
        subject: { kind: 'thread', id },
        details: { assignee: colleague ? colleague.username : null },
      })
      if (assignee) await pushAssigned(tx, 'chat staff', staff, assignee, username)
    }
    if (unread) await queries.markUnread(tx, id)
    await pushThreadUpdate(tx, id, 'changed')
    return onlyRow(await threadList.listThreads(tx, staff, { id, limit: 1, sort: 'newest' }))
  })
}

export async function markRead({ db }: Context, name: queries.ThreadName): Promise<void> {
  const thread = await findThreadOrNone(db, name)
  if (!thread) return
  await transaction(db, async (tx) => {
    if (await queries.markRead(tx, name, 'staff')) await pushThreadUpdate(tx, thread.thread.id, 'read')
  })
}

/** Starts or stops showing this administrator as answering. @returns the name of another one who is */
export async function answerThread(
  { db }: Context,
  { id: staffId }: Staff,
  name: queries.ThreadName,
  answering: boolean,
): Promise<string | null> {
  const thread = await findThreadOrNone(db, name)
  if (!thread) return null
  const { id } = thread.thread
  await transaction(db, async (tx) => {
    await (answering ? queries.startAnswering(tx, id, staffId) : queries.endAnswering(tx, id, staffId))
    await pushThreadUpdate(tx, id, 'answering')
    const isAnswered = answering || (await queries.findAnswering(tx, id, staffId)) !== undefined
    await pushAnswering(tx, thread, isAnswered ? ANSWERING_SECONDS : 0)
  })
  return (await queries.findAnswering(db, id, staffId)) ?? null
}

/** Shows the customer for this long that someone is writing a reply. */
async function pushAnswering(
  tx: Transaction,
  { thread: { userId }, visitorKey }: queries.ThreadRow,
  seconds: number,
): Promise<void> {
  const customer = userId ? { userId } : { sessionId: visitorKey ?? '' }
  await publish(tx, [{ to: customer, message: { type: 'ANSWERING', seconds, ...customer } }])
}

/** Only sellers' threads are created by a message; visitors' are created by the contact form. */
async function openThread(tx: Transaction, name: queries.ThreadName): Promise<queries.ThreadRow | undefined> {
  if (!('userId' in name)) return undefined
  await queries.openUserThread(tx, uuidv7(), name.userId)
  return queries.lockThread(tx, name)
}

async function readMessages(
  db: Context['db'],
  thread: queries.ThreadRow,
  page: Pick<MessagesPage, 'before' | 'limit'>,
): Promise<Messages> {
  const rows = await queries.listMessages(db, thread.thread.id, page)
  return { thread, rows: rows.slice(0, page.limit).reverse(), hasOlder: rows.length > page.limit }
}

/** @returns undefined for a seller without messages; throws 404 for an unknown customer */
async function findThreadOrNone(db: Context['db'], name: queries.ThreadName) {
  const thread = await queries.findThread(db, name)
  if (!thread && !('userId' in name && (await queries.userExists(db, name.userId)))) throw notFound()
  return thread
}

function orNotFound<T>(row: T | undefined): T {
  if (row === undefined) throw notFound()
  return row
}
