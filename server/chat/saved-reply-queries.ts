import { asc, eq, sql } from 'drizzle-orm'
import type { SavedReplyForm } from '#contract/saved-replies.ts'
import { onlyRow } from '#server/database/only-row.ts'
import type { Executor } from '#server/database/pool.ts'
import { savedReplies } from '#server/database/schema.ts'

export type SavedReplyRow = typeof savedReplies.$inferSelect

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
  return onlyRow(await db.insert(savedReplies).values(reply).returning())
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
