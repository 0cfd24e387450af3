import { and, asc, desc, eq, gt, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import {
  ANSWERING_SECONDS,
  type MessagesPage,
  type SavedReplyForm,
  type ThreadsPage,
} from '#contract/chat.ts'
import type { Executor, Transaction } from '#server/database/pool.ts'
import {
  administrators,
  chatMessages,
  chatThreads,
  contactSessions,
  savedReplies,
  users,
} from '#server/database/schema.ts'
import { likePattern } from '#server/database/search-text.ts'

/** How a thread is named on the wire. */
export type ThreadName = { readonly userId: string } | { readonly sessionId: string }

export type ThreadRow = NonNullable<Awaited<ReturnType<typeof findThread>>>
export type ListedThreadRow = Awaited<ReturnType<typeof listThreads>>[number]
export type StoredMessage = typeof chatMessages.$inferSelect
export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number]
export type SavedReplyRow = typeof savedReplies.$inferSelect

// Who the customer is: a seller or a visitor.
const customer = {
  sessionId: contactSessions.sessionId,
  subject: contactSessions.subject,
  username: sql<string>`coalesce(${users.username}, ${contactSessions.firstName} || ' ' || ${contactSessions.lastName})`,
  email: sql<string>`coalesce(${users.email}, ${contactSessions.email})`,
}

function named(name: ThreadName): SQL {
  if ('userId' in name) return eq(chatThreads.userId, name.userId)
  return sql`${chatThreads.contactSessionId} =
    (select ${contactSessions.id} from ${contactSessions} where ${contactSessions.sessionId} = ${name.sessionId})`
}

// Threads

export async function insertContactSession(
  tx: Transaction,
  session: typeof contactSessions.$inferInsert,
): Promise<void> {
  await tx.insert(contactSessions).values(session)
}

export async function insertContactThread(tx: Transaction, id: string, contactSessionId: string) {
  await tx.insert(chatThreads).values({ id, contactSessionId })
}

/** Opens the seller's thread, unless there is one (somebody else may be opening it) or no such seller. */
export async function openUserThread(tx: Transaction, id: string, userId: string): Promise<void> {
  await tx.execute(sql`
    insert into chat_threads (id, user_id) select ${id}, id from users where id = ${userId}
    on conflict (user_id) do nothing
  `)
}

export async function findThread(db: Executor, name: ThreadName) {
  const [row] = await selectThread(db).where(named(name))
  return row
}

/** Locks a thread until the transaction ends: its messages get their order one by one. */
export async function lockThread(tx: Transaction, name: ThreadName): Promise<ThreadRow | undefined> {
  const [row] = await selectThread(tx).where(named(name)).for('update', { of: chatThreads })
  return row
}

function selectThread(db: Executor) {
  return db
    .select({ thread: chatThreads, ...customer })
    .from(chatThreads)
    .leftJoin(users, eq(users.id, chatThreads.userId))
    .leftJoin(contactSessions, eq(contactSessions.id, chatThreads.contactSessionId))
}

export async function userExists(db: Executor, id: string): Promise<boolean> {
  return (await db.$count(users, eq(users.id, id))) > 0
}

/** Newest message first, with another member of staff who is writing there just now. */
export async function listThreads(db: Executor, staffId: string, { cursor, limit, ...choice }: ThreadsPage) {
  return await db
    .select({
      thread: chatThreads,
      ...customer,
      answeringBy: administrators.username,
      lastIsReply: chatMessages.isAdminReply,
    })
    .from(chatThreads)
    .leftJoin(chatMessages, eq(chatMessages.number, chatThreads.lastMessageNumber))
    .leftJoin(users, eq(users.id, chatThreads.userId))
    .leftJoin(contactSessions, eq(contactSessions.id, chatThreads.contactSessionId))
    .leftJoin(
      administrators,
      and(
        eq(administrators.id, chatThreads.answeringBy),
        ne(administrators.id, staffId),
        gt(chatThreads.answeringUntil, sql`now()`),
      ),
    )
    .where(newest(choice, cursor, limit + 1))
    .orderBy(desc(chatThreads.lastMessageNumber))
    .limit(limit + 1)
}

export async function countThreads(db: Executor, choice: ThreadChoice): Promise<number> {
  const { q } = choice
  if (!q) return await db.$count(chatThreads, asked(choice))
  const counts = lookUps(q).map(
    (found) => sql`(select count(*) from ${chatThreads} where ${and(found, asked(choice))})`,
  )
  const { rows } = await db.execute<{ count: number }>(sql`
    select (${sql.join(counts, sql` + `)})::integer as count`)
  return rows[0]?.count ?? 0
}

type ThreadChoice = Pick<ThreadsPage, 'q' | 'id' | 'userId'>

/** The one thread that is asked for, if one is. */
function asked({ id, userId }: ThreadChoice): SQL | undefined {
  return and(
    id === undefined ? undefined : eq(chatThreads.id, id),
    userId === undefined ? undefined : eq(chatThreads.userId, userId),
  )
}

/** The page is cut out of each look-up by itself, so that a common name in the one doesn't slow down the other. */
function newest(choice: ThreadChoice, cursor: string | undefined, limit: number): SQL | undefined {
  const before = cursor ? lt(chatThreads.lastMessageNumber, Number(cursor)) : undefined
  if (!choice.q) return and(asked(choice), before)
  const pages = lookUps(choice.q).map(
    (found) => sql`(
      select ${chatThreads.id} from ${chatThreads} where ${and(before, asked(choice), found)}
      order by ${chatThreads.lastMessageNumber} desc limit ${limit}
    )`,
  )
  return sql`${chatThreads.id} in (${sql.join(pages, sql` union all `)})`
}

/** The customer's name or e-mail has the text somewhere in it, whatever the case; no thread is found by both. */
function lookUps(q: string): SQL[] {
  const pattern = likePattern(q)
  return [
    sql`${chatThreads.userId} in (
      select id from users where lower(username) like ${pattern} or lower(email) like ${pattern}
    )`,
    sql`${chatThreads.contactSessionId} in (
      select id from contact_sessions
      where lower(first_name || ' ' || last_name) like ${pattern} or lower(email) like ${pattern}
    )`,
  ]
}

/** Keeps the row of the list in step with a message that was just stored. */
export async function noteMessage(
  tx: Transaction,
  { threadId, number, createdAt, isAdminReply }: StoredMessage,
  lastMessage: string,
): Promise<void> {
  await tx
    .update(chatThreads)
    .set({
      lastMessage,
      lastMessageAt: createdAt,
      lastMessageNumber: number,
      ...(isAdminReply
        ? { customerUnread: sql`${chatThreads.customerUnread} + 1`, ...nobodyAnswers }
        : { staffUnread: sql`${chatThreads.staffUnread} + 1` }),
    })
    .where(eq(chatThreads.id, threadId))
}

const nobodyAnswers = { answeringBy: null, answeringUntil: null }

export async function touchContactSession(tx: Transaction, id: string, updatedAt: Date): Promise<void> {
  await tx.update(contactSessions).set({ updatedAt }).where(eq(contactSessions.id, id))
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

export async function countUnread(db: Executor, userId: string): Promise<number> {
  const [row] = await db
    .select({ unread: chatThreads.customerUnread })
    .from(chatThreads)
    .where(eq(chatThreads.userId, userId))
  return row?.unread ?? 0
}

// Who is answering

/** Takes or prolongs the lease on a thread, unless another member of staff holds it. */
export async function takeAnswering(db: Executor, threadId: string, staffId: string): Promise<void> {
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
    .set(nobodyAnswers)
    .where(and(eq(chatThreads.id, threadId), eq(chatThreads.answeringBy, staffId)))
}

/** The name of another member of staff who holds the lease. */
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

// Messages

export async function insertMessage(
  tx: Transaction,
  message: Omit<typeof chatMessages.$inferInsert, 'number'>,
): Promise<StoredMessage> {
  const [inserted] = await tx.insert(chatMessages).values(message).returning()
  if (!inserted) throw new Error('The insert returned no row')
  return inserted
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

/** The newest ones before `before`, newest first. */
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

function selectMessages(db: Executor) {
  return db
    .select({ message: chatMessages, adminUsername: administrators.username })
    .from(chatMessages)
    .leftJoin(administrators, eq(administrators.id, chatMessages.adminUserId))
}

// Saved replies

export async function listSavedReplies(db: Executor): Promise<SavedReplyRow[]> {
  return await db
    .select()
    .from(savedReplies)
    .orderBy(asc(sql`lower(${savedReplies.title})`), asc(savedReplies.id))
}

export async function insertSavedReply(
  db: Executor,
  reply: typeof savedReplies.$inferInsert,
): Promise<SavedReplyRow> {
  const [inserted] = await db.insert(savedReplies).values(reply).returning()
  if (!inserted) throw new Error('The insert returned no row')
  return inserted
}

export async function updateSavedReply(
  db: Executor,
  id: string,
  reply: SavedReplyForm,
): Promise<SavedReplyRow | undefined> {
  const [updated] = await db.update(savedReplies).set(reply).where(eq(savedReplies.id, id)).returning()
  return updated
}

/** @returns whether there was one */
export async function deleteSavedReply(db: Executor, id: string): Promise<boolean> {
  const deleted = await db.delete(savedReplies).where(eq(savedReplies.id, id)).returning()
  return deleted.length > 0
}
