import { v7 as uuidv7 } from 'uuid'
import type { SavedReply, SavedReplyForm } from '#contract/saved-replies.ts'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import * as queries from './saved-reply-queries.ts'
import { toSavedReply } from './views.ts'

/** Saved replies belong to all staff: whoever may answer may use, add, change and delete them. */

export async function listSavedReplies({ db }: Context): Promise<SavedReply[]> {
  return (await queries.listSavedReplies(db)).map(toSavedReply)
}

export async function saveReply(
  { db }: Context,
  { id: createdBy }: Staff,
  reply: SavedReplyForm,
): Promise<SavedReply> {
  return toSavedReply(await queries.insertSavedReply(db, { id: uuidv7(), createdBy, ...reply }))
}

export async function changeSavedReply(
  { db }: Context,
  id: string,
  reply: SavedReplyForm,
): Promise<SavedReply> {
  const changed = await queries.updateSavedReply(db, id, reply)
  if (!changed) throw notFound()
  return toSavedReply(changed)
}

export async function deleteSavedReply({ db }: Context, id: string): Promise<void> {
  if (!(await queries.deleteSavedReply(db, id))) throw notFound()
}
