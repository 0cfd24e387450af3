import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#server/context.ts'
import { jsonListEntry, type ZipEntry } from '#server/http/zip.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { chatMessages, chatThreads, contactSessions } from '#server/platform/database/schema.ts'

const PAGE = 500

/** The seller's chat, and the conversations of visitors with the email that the seller has confirmed. */
export async function* exportChats({ db }: Context, userId: string): AsyncGenerator<ZipEntry> {
  const threads = await db
    .select({ id: chatThreads.id, contact: contactSessions })
    .from(chatThreads)
    .leftJoin(contactSessions, eq(contactSessions.id, chatThreads.contactSessionId))
    .where(belongsTo(userId))
  for (const thread of threads) {
    const { contact } = thread
    const name = contact
      ? `contact-form-${contact.createdAt.toISOString().slice(0, 10)}-${contact.id}`
      : 'chat'
    yield jsonListEntry(`messages/${name}.json`, listMessages(db, thread.id))
  }
}

/** Whether a thread is the seller's. An email that is not confirmed may be somebody else's. */
function belongsTo(userId: string): SQL {
  return sql`(${chatThreads.userId} = ${userId} or ${chatThreads.contactSessionId} in (
    select contact_sessions.id from contact_sessions join users on lower(contact_sessions.email) = lower(users.email)
    where users.id = ${userId} and users.verified
  ))`
}

/** Oldest first. */
async function* listMessages(db: Context['db'], threadId: string) {
  let after = 0
  for (;;) {
    const { number, message, isAdminReply, createdAt } = chatMessages
    const rows = await db
      .select({ number, message, isAdminReply, createdAt })
      .from(chatMessages)
      .where(and(eq(chatMessages.threadId, threadId), gt(number, after)))
      .orderBy(asc(number))
      .limit(PAGE)
    for (const row of rows) {
      yield { at: row.createdAt, by: row.isAdminReply ? 'staff' : 'you', message: row.message }
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.number
  }
}

/** Deletes what `exportChats` shows. @returns the ids of the threads */
export async function deleteChats(tx: Transaction, userId: string): Promise<string[]> {
  const threads = await tx.select().from(chatThreads).where(belongsTo(userId)).for('update')
  const ids = threads.map(({ id }) => id)
  await tx.delete(chatMessages).where(inArray(chatMessages.threadId, ids))
  await tx.delete(chatThreads).where(inArray(chatThreads.id, ids))
  const contacts = threads.flatMap(({ contactSessionId }) => contactSessionId ?? [])
  await tx.delete(contactSessions).where(inArray(contactSessions.id, contacts))
  return ids
}
