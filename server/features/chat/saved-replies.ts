import { asc, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { SavedReplyForm } from '#contract/saved-replies.ts'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { savedReplies } from '#server/platform/database/schema.ts'

// Saved replies belong to all staff: everyone who may answer may use, add, change and delete them.

export async function listSavedReplies({ db }: Context) {
  const byTitle = asc(sql`lower(${savedReplies.title})`)
  return await db.select().from(savedReplies).orderBy(byTitle, asc(savedReplies.id))
}

export async function saveReply({ db }: Context, { id: createdBy }: Staff, reply: SavedReplyForm) {
  const row = { id: uuidv7(), createdBy, ...reply }
  return onlyRow(await db.insert(savedReplies).values(row).returning())
}

export async function changeSavedReply({ db }: Context, id: string, reply: SavedReplyForm) {
  const replaced = { ...reply, spanishText: reply.spanishText ?? null }
  const [changed] = await db.update(savedReplies).set(replaced).where(eq(savedReplies.id, id)).returning()
  if (!changed) throw notFound()
  return changed
}

export async function deleteSavedReply({ db }: Context, id: string): Promise<void> {
  const deleted = await db.delete(savedReplies).where(eq(savedReplies.id, id)).returning()
  if (deleted.length === 0) throw notFound()
}
