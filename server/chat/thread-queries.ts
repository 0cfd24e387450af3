import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/database/pool.ts'
import { chatThreads, contactSessions, users } from '#server/database/schema.ts'
import type { StoredMessage } from './message-queries.ts'

/** How a thread is named on the wire, or by its own id. */
export type ThreadName =
  | { readonly userId: string }
  | { readonly sessionId: string }
  | { readonly threadId: string }

export type ThreadRow = NonNullable<Awaited<ReturnType<typeof findThread>>>

// Who the customer is: a seller or a visitor.
export const customer = {
  sessionId: contactSessions.sessionId,
  subject: contactSessions.subject,
  username: sql<string>`coalesce(${users.username}, ${contactSessions.firstName} || ' ' || ${contactSessions.lastName})`,
  email: sql<string>`coalesce(${users.email}, ${contactSessions.email})`,
}

function named(name: ThreadName): SQL {
  if ('threadId' in name) return eq(chatThreads.id, name.threadId)
  if ('userId' in name) return eq(chatThreads.userId, name.userId)
  return sql`${chatThreads.contactSessionId} =
    (select ${contactSessions.id} from ${contactSessions} where ${contactSessions.sessionId} = ${name.sessionId})`
}

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

export const nobodyAnswers = { answeringBy: null, answeringUntil: null }

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
