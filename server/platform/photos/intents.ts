import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { photoIntents } from '#server/platform/database/schema.ts'
import { PhotoStorageUnavailable } from './errors.ts'

/**
 * The files that this installation may remove from its photo store. A name is written down before its bytes are stored
 * and crossed out by the transaction that inserts its row; whatever was never written down is never removed.
 */

/** Commits before the first byte is stored. */
export async function announcePhotos(db: Database, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.insert(photoIntents).values(names.map((name) => ({ name })))
}

/**
 * In the transaction that inserts the rows.
 *
 * @throws {PhotoStorageUnavailable} when the files are being removed, because storing them took too long
 */
export async function claimPhotos(tx: Transaction, names: readonly string[]): Promise<void> {
  const claimed = await tx
    .delete(photoIntents)
    .where(and(inArray(photoIntents.name, [...names]), eq(photoIntents.removing, false)))
    .returning({ name: photoIntents.name })
  if (claimed.length < names.length)
    throw new PhotoStorageUnavailable('storing took too long, and the files are being removed')
}

/** In the transaction that deletes the rows. */
export async function unclaimPhotos(tx: Transaction, names: readonly string[]): Promise<void> {
  if (names.length > 0) await tx.insert(photoIntents).values(names.map((name) => ({ name, removing: true })))
}

/**
 * Marks those that no row has claimed, so that none will. What a transaction is claiming just now is left out.
 *
 * @returns the names of the files that can be removed
 */
export async function abandonPhotos(db: Executor, names: readonly string[]): Promise<string[]> {
  const free = db
    .select({ name: photoIntents.name })
    .from(photoIntents)
    .where(inArray(photoIntents.name, [...names]))
    .for('update', { skipLocked: true })
  const rows = await db
    .update(photoIntents)
    .set({ removing: true })
    .where(inArray(photoIntents.name, free))
    .returning({ name: photoIntents.name })
  return rows.map(({ name }) => name)
}

/** The next names, in their own order, that were written down before then. */
export async function listIntents(
  db: Executor,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ name: photoIntents.name })
    .from(photoIntents)
    .where(and(lt(photoIntents.startedAt, before), gt(photoIntents.name, after)))
    .orderBy(asc(photoIntents.name))
    .limit(limit)
  return rows.map(({ name }) => name)
}

/** The files are gone. */
export async function forgetPhotos(db: Executor, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.delete(photoIntents).where(inArray(photoIntents.name, [...names]))
}
