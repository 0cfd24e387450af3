import { and, desc, eq, gt, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { MessagesPage } from '#contract/chat.ts'
import { ANSWERING_SECONDS } from '#domain/chat.ts'
import { needsAccount } from '#server/features/submissions/payout-effects.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import {
  administrators,
  chatMessages,
  chatThreads,
  contactSessions,
  giftCards,
  photos,
  users,
} from '#server/platform/database/schema.ts'
import type { Locale } from '#words/locales.ts'

/** Identifies a thread by its customer, or by its id. */
export type ThreadName =
  | { readonly userId: string }
  | { readonly sessionId: string }
  | { readonly threadId: string }
  /** What a visitor has: the session id or the key from a mailed link. See `openContact`. */
  | { readonly key: string }

export type ThreadRow = NonNullable<Awaited<ReturnType<typeof findThread>>>
export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number]
type StoredMessage = typeof chatMessages.$inferSelect

/** The customer of a thread: a seller or a visitor. */
export const customer = {
  sessionId: contactSessions.sessionId,
  subject: contactSessions.subject,
  username: sql<string>`coalesce(${users.username}, ${contactSessions.firstName} || ' ' || ${contactSessions.lastName})`,
  email: sql<string>`coalesce(${users.email}, ${contactSessions.email})`,
  locale: sql<Locale>`coalesce(${users.locale}, ${contactSessions.locale})`,
}

/** The card that a thread is about, unless it was removed. */
export const about = {
  id: giftCards.id,
  brandName: giftCards.brandName,
  denomination: giftCards.denomination,
  quote: giftCards.sellingPrice,
  status: giftCards.status,
  needsAccount,
  lastFour: giftCards.cardNumberLastFour,
}
export const isAbout = and(eq(giftCards.id, chatThreads.giftCardId), isNull(giftCards.clearedAt))

export async function findAbout(db: Executor, userId: string) {
  const [row] = await db
    .select(about)
    .from(chatThreads)
    .innerJoin(giftCards, isAbout)
    .where(eq(chatThreads.userId, userId))
  return row
}

/** Keeps a seller's submission from being deleted until the transaction ends. @returns whether there is one */
export async function lockSubmission(tx: Transaction, id: string, sellerId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(eq(giftCards.id, id), eq(giftCards.sellerId, sellerId), isNull(giftCards.clearedAt)))
    .for('key share')
  return rows.length > 0
}

function named(name: ThreadName): SQL {
  if ('threadId' in name) return eq(chatThreads.id, name.threadId)
  if ('userId' in name) return eq(chatThreads.userId, name.userId)
  const { id, sessionId, mailedKey } = contactSessions
  const matches =
    'key' in name ? or(eq(sessionId, name.key), eq(mailedKey, name.key)) : eq(sessionId, name.sessionId)
  return sql`${chatThreads.contactSessionId} = (select ${id} from ${contactSessions} where ${matches})`
}

/** Creates the seller's thread. Does nothing if it exists (another request may be creating it) or there is no such seller. */
export async function openUserThread(tx: Transaction, id: string, userId: string): Promise<void> {
  await tx.execute(sql`
    insert into chat_threads (id, user_id) select ${id}, id from users where id = ${userId} and deleted_at is null for key share
    on conflict (user_id) do nothing
  `)
}

export async function findThread(db: Executor, name: ThreadName) {
  const [row] = await selectThread(db).where(named(name))
  return row
}

/** Locks a thread until the transaction ends, so that its messages are numbered one after the other. */
export async function lockThread(tx: Transaction, name: ThreadName): Promise<ThreadRow | undefined> {
  const [row] = await selectThread(tx).where(named(name)).for('update', { of: chatThreads })
  return row
}

/** The key that the visitor uses: the mailed one from its first use on. */
const visitorKey = sql<string | null>`
  case when ${contactSessions.mailedKeyUsedAt} is null then ${contactSessions.sessionId} else ${contactSessions.mailedKey} end`

function selectThread(db: Executor) {
  return db
    .select({ thread: chatThreads, ...customer, mailedKey: contactSessions.mailedKey, visitorKey })
    .from(chatThreads)
    .leftJoin(users, eq(users.id, chatThreads.userId))
    .leftJoin(contactSessions, eq(contactSessions.id, chatThreads.contactSessionId))
}

export async function userExists(db: Executor, id: string): Promise<boolean> {
  return (await db.$count(users, eq(users.id, id))) > 0
}

/**
 * Updates the thread's row after a message was stored. The customer's messages open it again; a closed thread is then no longer
 * about its earlier card.
 * @param giftCardId the submission that it is about from now on; undefined if the message does not say
 */
export async function noteMessage(
  tx: Transaction,
  { threadId, number, createdAt, isAdminReply }: StoredMessage,
  lastMessage: string,
  giftCardId: string | null | undefined,
): Promise<void> {
  await tx
    .update(chatThreads)
    .set({
      lastMessage,
      lastMessageAt: createdAt,
      lastMessageNumber: number,
      ...(isAdminReply
        ? { customerUnread: sql`${chatThreads.customerUnread} + 1`, unansweredNumber: null, ...notAnswering }
        : {
            staffUnread: sql`${chatThreads.staffUnread} + 1`,
            unansweredNumber: sql`coalesce(${chatThreads.unansweredNumber}, ${number})`,
            giftCardId: sql`case when ${chatThreads.closedAt} is null then ${chatThreads.giftCardId} end`,
            ...open,
          }),
      ...(giftCardId !== undefined && { giftCardId }),
    })
    .where(eq(chatThreads.id, threadId))
}

const notAnswering = { answeringBy: null, answeringUntil: null }
const open = { closedAt: null, snoozedUntil: null }

export async function touchContactSession(tx: Transaction, id: string, updatedAt: Date): Promise<void> {
  await tx.update(contactSessions).set({ updatedAt }).where(eq(contactSessions.id, id))
}

/** Stores the key for mailed links unless there is one. @returns the stored one */
export async function keepMailedKey(db: Executor, id: string, newKey: string): Promise<string> {
  const { mailedKey } = contactSessions
  const rows = await db
    .update(contactSessions)
    .set({ mailedKey: sql`coalesce(${mailedKey}, ${newKey})` })
    .where(eq(contactSessions.id, id))
    .returning({ key: sql<string>`${mailedKey}` })
  return onlyRow(rows).key
}

/** Notes the first use of a mailed key. @returns the session id, which has ended as a key, or undefined if it was used before */
export async function noteMailedKeyUse(tx: Transaction, key: string): Promise<string | undefined> {
  const { sessionId, mailedKey, mailedKeyUsedAt } = contactSessions
  const [row] = await tx
    .update(contactSessions)
    .set({ mailedKeyUsedAt: sql`now()` })
    .where(and(eq(mailedKey, key), isNull(mailedKeyUsedAt)))
    .returning({ sessionId })
  return row?.sessionId
}

/** @returns whether anything was unread */
export async function markRead(db: Executor, name: ThreadName, by: 'staff' | 'customer'): Promise<boolean> {
  const newest = sql`${chatThreads.lastMessageNumber}`
  const marked = await db
    .update(chatThreads)
    .set(
      by === 'staff'
        ? { staffUnread: 0, staffReadNumber: newest }
        : { customerUnread: 0, customerReadNumber: newest },
    )
    .where(and(named(name), gt(by === 'staff' ? chatThreads.staffUnread : chatThreads.customerUnread, 0)))
    .returning({ id: chatThreads.id })
  return marked.length > 0
}

/** Marks the customer's last message as unread by staff. Does nothing if they have not written one. */
export async function markUnread(tx: Transaction, id: string): Promise<void> {
  await tx.execute(sql`
    update chat_threads set
      staff_read_number = least(staff_read_number, last.number - 1), staff_unread = greatest(staff_unread, 1)
    from (select max(number) as number from chat_messages where thread_id = ${id} and not is_admin_reply) as last
    where chat_threads.id = ${id} and last.number is not null
  `)
}

/** Closes, opens, snoozes or assigns a thread. Undefined fields stay unchanged. */
export async function changeThread(
  tx: Transaction,
  id: string,
  change: {
    closed?: boolean | undefined
    snoozedUntil?: Date | null | undefined
    assigned?: { to: string | null; by: string } | undefined
  },
): Promise<void> {
  const { closed, snoozedUntil, assigned } = change
  const state = {
    ...(closed === false && { closedAt: null }),
    ...(snoozedUntil !== undefined && { snoozedUntil, ...(snoozedUntil && { closedAt: null }) }),
    ...(closed && { closedAt: sql`now()`, snoozedUntil: null }),
    ...(assigned && { assignedTo: assigned.to, assignedBy: assigned.by, assignedAt: sql`now()` }),
  }
  if (Object.keys(state).length > 0) await tx.update(chatThreads).set(state).where(eq(chatThreads.id, id))
}

export async function noteMailed(tx: Transaction, id: string, customerMailedNumber: number): Promise<void> {
  await tx.update(chatThreads).set({ customerMailedNumber }).where(eq(chatThreads.id, id))
}

export async function countUnread(db: Executor, userId: string): Promise<number> {
  const [row] = await db
    .select({ unread: chatThreads.customerUnread })
    .from(chatThreads)
    .where(eq(chatThreads.userId, userId))
  return row?.unread ?? 0
}

// Messages

export async function insertMessage(
  tx: Transaction,
  message: Omit<typeof chatMessages.$inferInsert, 'number'>,
): Promise<StoredMessage> {
  return onlyRow(await tx.insert(chatMessages).values(message).returning())
}

export async function findByClientId(
  db: Executor,
  { threadId, isAdminReply, clientId }: { threadId: string; isAdminReply: boolean; clientId: string },
) {
  const [row] = await selectMessages(db).where(
    and(
      eq(chatMessages.threadId, threadId),
      eq(chatMessages.isAdminReply, isAdminReply),
      eq(chatMessages.clientId, clientId),
    ),
  )
  return row
}

export async function findMessage(db: Executor, id: string): Promise<StoredMessage | undefined> {
  const [message] = await db.select().from(chatMessages).where(eq(chatMessages.id, id))
  return message
}

/** The newest messages before `before`, newest first, and one more when there are older ones. */
export async function listMessages(
  db: Executor,
  threadId: string,
  { before, limit }: Pick<MessagesPage, 'before' | 'limit'>,
) {
  const older =
    before === undefined
      ? undefined
      : sql`${chatMessages.number} < (
          select number from chat_messages where id = ${before} and thread_id = ${threadId}
        )`
  return await selectMessages(db)
    .where(and(eq(chatMessages.threadId, threadId), older))
    .orderBy(desc(chatMessages.number))
    .limit(limit + 1)
}

/** Staff's replies after one message up to another, oldest first. */
export async function listReplies(
  db: Executor,
  id: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
) {
  const { threadId, isAdminReply, number, message, photoCount } = chatMessages
  return await db
    .select({ message, photoCount })
    .from(chatMessages)
    .where(and(eq(threadId, id), eq(isAdminReply, true), gt(number, after), lte(number, upTo)))
    .orderBy(number)
    .limit(limit)
}

/** The names of a message's photos, in order. */
export const photoNames = sql<string[]>`(
  select coalesce(array_agg(${photos.name} order by ${photos.position}), '{}')
  from ${photos} where ${photos.chatMessageId} = ${chatMessages.id}
)`

function selectMessages(db: Executor) {
  return db
    .select({ message: chatMessages, adminUsername: administrators.username, photoNames })
    .from(chatMessages)
    .leftJoin(administrators, eq(administrators.id, chatMessages.adminUserId))
}

// Who is answering

/** Shows this administrator as answering for a while, unless another one is. */
export async function startAnswering(db: Executor, threadId: string, staffId: string): Promise<void> {
  await db
    .update(chatThreads)
    .set({ answeringBy: staffId, answeringUntil: sql`now() + make_interval(secs => ${ANSWERING_SECONDS})` })
    .where(
      and(
        eq(chatThreads.id, threadId),
        or(
          isNull(chatThreads.answeringBy),
          eq(chatThreads.answeringBy, staffId),
          lte(chatThreads.answeringUntil, sql`now()`),
        ),
      ),
    )
}

export async function endAnswering(db: Executor, threadId: string, staffId: string): Promise<void> {
  await db
    .update(chatThreads)
    .set(notAnswering)
    .where(and(eq(chatThreads.id, threadId), eq(chatThreads.answeringBy, staffId)))
}

/** The name of another administrator who is answering. */
export async function findAnswering(db: Executor, threadId: string, staffId: string) {
  const [row] = await db
    .select({ username: administrators.username })
    .from(chatThreads)
    .innerJoin(administrators, eq(administrators.id, chatThreads.answeringBy))
    .where(
      and(
        eq(chatThreads.id, threadId),
        ne(chatThreads.answeringBy, staffId),
        gt(chatThreads.answeringUntil, sql`now()`),
      ),
    )
  return row?.username
}
