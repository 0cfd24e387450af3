import { and, desc, eq, inArray, isNotNull, lt, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { NoteAnswer } from '#contract/sellers.ts'
import type { Page } from '#contract/values.ts'
import type { SellerState } from '#domain/seller-state.ts'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { countRows } from '#server/http/paging.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { keepAccount, onlyRow } from '#server/platform/database/queries.ts'
import { administrators, notes, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { openRow, sealRow, VaultError } from '#server/platform/vault/seal.ts'
import { findCard, lockCard } from '../../queries.ts'
import { type Reader, writtenFor } from '../../reasons.ts'

/** What a note is about: exactly one of the two. */
interface About {
  readonly userId?: string | undefined
  readonly submissionId?: string | undefined
}

/** A page of the notes about a seller and their submissions, or about one submission, newest first, and the total. */
export async function listNotes(
  context: Context,
  staff: Staff,
  { userId, submissionId, ...page }: About & Page,
) {
  const { db } = context
  const known =
    userId === undefined
      ? submissionId !== undefined && (await findCard(db, submissionId))
      : await db.$count(users, eq(users.id, userId))
  if (!known) throw notFound()
  const about =
    submissionId === undefined ? eq(notes.userId, userId ?? '') : eq(notes.giftCardId, submissionId)
  const [rows, total] = await Promise.all([
    selectNotes(db, and(about, page.cursor ? lt(notes.id, page.cursor) : undefined), page.limit + 1),
    countRows(db, notes, about),
  ])
  return { rows: rows.map((row) => toNote(row, context, staff)), total }
}

export async function addNote(
  context: Context,
  staff: Staff,
  { userId, submissionId, text }: About & { text: string },
): Promise<NoteAnswer> {
  return transaction(context.db, async (tx) => {
    const about =
      submissionId === undefined ? { userId: userId ?? '' } : await lockSubmission(tx, submissionId)
    if (!(await keepAccount(tx, about.userId))) throw notFound()
    const note = await insertNote(tx, context.keys, staff, { ...about, text })
    return toNote({ note, by: staff.username }, context, staff)
  })
}

/** Locked, so that a note is not added while clear-all removes the submission. */
async function lockSubmission(tx: Transaction, id: string) {
  const card = await lockCard(tx, id)
  if (!card) throw notFound()
  return { userId: card.sellerId, giftCardId: id }
}

interface NewNote {
  readonly userId: string
  readonly giftCardId?: string
  readonly state?: SellerState
  readonly text: string
}

export async function insertNote(tx: Transaction, keys: KeyRing, staff: Staff, { text, ...about }: NewNote) {
  const id = uuidv7()
  const { dataKey, sealed } = sealRow(keys, { table: 'notes', row: id }, { text })
  const row = { id, administratorId: staff.id, dataKey, ...about, text: sealed.text ?? Buffer.alloc(0) }
  return onlyRow(await tx.insert(notes).values(row).returning())
}

/** The newest notes about a seller, and the one that explains the current state. */
export async function findNotes(context: Context, reader: Reader, userId: string, limit: number) {
  const ofSeller = eq(notes.userId, userId)
  const [rows, changes] = await Promise.all([
    selectNotes(context.db, ofSeller, limit),
    selectNotes(context.db, and(ofSeller, isNotNull(notes.state)), 1),
  ])
  const toNotes = (found: typeof rows) => found.map((row) => toNote(row, context, reader))
  return { notes: toNotes(rows), stateChange: toNotes(changes)[0] ?? null }
}

async function selectNotes(db: Executor, where: SQL | undefined, limit: number) {
  return await db
    .select({ note: notes, by: administrators.username })
    .from(notes)
    .innerJoin(administrators, eq(administrators.id, notes.administratorId))
    .where(where)
    .orderBy(desc(notes.id))
    .limit(limit)
}

/** A note that cannot be opened says so, and does not hide the others. */
function toNote(
  { note, by }: { note: typeof notes.$inferSelect; by: string },
  context: Context,
  reader: Reader,
): NoteAnswer {
  const { id, giftCardId, state, createdAt } = note
  const text = writtenFor(reader, textOf(note, context))
  return { id, submissionId: giftCardId, state, text, by, at: createdAt }
}

function textOf({ id, dataKey, text }: typeof notes.$inferSelect, { keys, log, words }: Context): string {
  try {
    return openRow(keys, { table: 'notes', row: id }, dataKey, { text }).text ?? ''
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, note: id }, 'cannot open a note')
    return words.en('reasons.unreadable')
  }
}

/** Deletes the notes about submissions that are erased. */
export async function deleteNotes(tx: Transaction, submissionIds: readonly string[]): Promise<void> {
  await tx.delete(notes).where(inArray(notes.giftCardId, [...submissionIds]))
}
