import { and, asc, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#server/context.ts'
import { readOwnPhoto } from '#server/features/submissions/own-data.ts'
import { deletePhotos } from '#server/features/submissions/photos.ts'
import type { Seller } from '#server/http/actor.ts'
import { bytesEntry, jsonListEntry, type ZipEntry } from '#server/http/zip.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { chatMessages, chatThreads, contactSessions, photos } from '#server/platform/database/schema.ts'
import { photoNames } from './queries.ts'

const PAGE = 500

/** The seller's chat with its photos, and the conversations of visitors with the email that the seller has confirmed. */
export async function* exportChats(context: Context, seller: Seller): AsyncGenerator<ZipEntry> {
  const { db } = context
  const threads = await db
    .select({ id: chatThreads.id, contact: contactSessions })
    .from(chatThreads)
    .leftJoin(contactSessions, eq(contactSessions.id, chatThreads.contactSessionId))
    .where(belongsTo(seller.id))
  for (const thread of threads) {
    const { contact } = thread
    const name = contact
      ? `contact-form-${contact.createdAt.toISOString().slice(0, 10)}-${contact.id}`
      : 'chat'
    yield jsonListEntry(`messages/${name}.json`, listMessages(db, thread.id))
    for (const photo of await listPhotos(db, thread.id)) {
      const bytes = await readOwnPhoto(context, seller, `${photo}.jpg`)
      if (bytes) yield bytesEntry(fileOf(photo), bytes)
    }
  }
}

/** Whether a thread is the seller's. An email that is not confirmed may be somebody else's. */
function belongsTo(userId: string): SQL {
  return sql`(${chatThreads.userId} = ${userId} or ${chatThreads.contactSessionId} in (
    select contact_sessions.id from contact_sessions join users on lower(contact_sessions.email) = lower(users.email)
    where users.id = ${userId} and users.verified
  ))`
}

const fileOf = (photo: string) => `messages/photos/${photo}.jpg`

async function listPhotos(db: Context['db'], threadId: string): Promise<string[]> {
  const rows = await db
    .select({ name: photos.name })
    .from(photos)
    .innerJoin(chatMessages, eq(chatMessages.id, photos.chatMessageId))
    .where(eq(chatMessages.threadId, threadId))
    .orderBy(asc(chatMessages.number), asc(photos.position))
  return rows.map(({ name }) => name)
}

/** Oldest first. */
async function* listMessages(db: Context['db'], threadId: string) {
  let after = 0
  for (;;) {
    const { number, message, isAdminReply, createdAt } = chatMessages
    const rows = await db
      .select({ number, message, isAdminReply, createdAt, photoNames })
      .from(chatMessages)
      .where(and(eq(chatMessages.threadId, threadId), gt(number, after)))
      .orderBy(asc(number))
      .limit(PAGE)
    for (const row of rows) {
      const files = row.photoNames.map(fileOf)
      yield {
        at: row.createdAt,
        by: row.isAdminReply ? 'staff' : 'you',
        message: row.message,
        ...(files.length > 0 && { photos: files }),
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.number
  }
}

/** Deletes what `exportChats` shows. @returns the ids of the threads, and the files of photos for `removeFiles` after the commit */
export async function deleteChats(
  tx: Transaction,
  userId: string,
): Promise<{ threads: string[]; files: string[] }> {
  const threads = await tx.select().from(chatThreads).where(belongsTo(userId)).for('update')
  const ids = threads.map(({ id }) => id)
  const sealed = await tx
    .select({ id: chatMessages.id })
    .from(chatMessages)
    .where(and(inArray(chatMessages.threadId, ids), isNotNull(chatMessages.dataKey)))
  const files = await deletePhotos(
    tx,
    sealed.map(({ id }) => id),
    'chatMessageId',
  )
  await tx.delete(chatMessages).where(inArray(chatMessages.threadId, ids))
  await tx.delete(chatThreads).where(inArray(chatThreads.id, ids))
  const contacts = threads.flatMap(({ contactSessionId }) => contactSessionId ?? [])
  await tx.delete(contactSessions).where(inArray(contactSessions.id, contacts))
  return { threads: ids, files }
}
