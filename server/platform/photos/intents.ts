import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { photoIntents } from '#server/platform/database/schema.ts'
import { PhotoStorageUnavailable } from './errors.ts'
import type { PhotoStorage } from './storage.ts'

// The files that this installation may remove from its store. A name is announced before its bytes are stored, and
// confirmed by the transaction that inserts its row. A file that was never announced is never removed.

/** Commits before the first byte is stored. */
export async function announcePhotos(db: Database, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.insert(photoIntents).values(names.map((name) => ({ name })))
}

/**
 * Call it in the transaction that inserts the rows.
 *
 * @throws {PhotoStorageUnavailable} when storing took so long that the files are being removed
 */
export async function confirmPhotos(tx: Transaction, names: readonly string[]): Promise<void> {
  const confirmed = await tx
    .delete(photoIntents)
    .where(and(inArray(photoIntents.name, [...names]), eq(photoIntents.removing, false)))
    .returning({ name: photoIntents.name })
  if (confirmed.length < names.length)
    throw new PhotoStorageUnavailable('storing took too long, and the files are being removed')
}

/** Call it in the transaction that deletes the rows. */
export async function schedulePhotoRemoval(tx: Transaction, names: readonly string[]): Promise<void> {
  if (names.length > 0) await tx.insert(photoIntents).values(names.map((name) => ({ name, removing: true })))
}

/**
 * Marks unconfirmed photos for removal, so that they can no longer be confirmed. Skips those that a transaction is confirming.
 *
 * @returns the names of the files to remove
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

/** Call it when the files are removed. */
export async function forgetPhotos(db: Executor, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.delete(photoIntents).where(inArray(photoIntents.name, [...names]))
}

/** Files removed from the store at the same time. */
const BATCH = 32

interface CollectOptions {
  readonly db: Database
  readonly photos: PhotoStorage
  /** Skips intents younger than this: the submission of their photos may not have committed yet. */
  readonly before: Date
  /** Stops before the next batch. */
  readonly signal?: AbortSignal
}

/**
 * Removes the files that were announced and never confirmed, and those that could not be removed earlier.
 *
 * @returns how many were removed
 * @throws the last error of the store if nothing could be removed
 */
export async function collectPhotos({ db, photos, before, signal }: CollectOptions): Promise<number> {
  let collected = 0
  let failure: unknown
  let after = ''
  while (!signal?.aborted) {
    const names = await listIntents(db, before, after)
    const last = names.at(-1)
    if (last === undefined) break
    const { removed, error } = await removePhotos(photos, await abandonPhotos(db, names))
    failure = error ?? failure
    // Throws if the store is unreachable, which ends the run.
    if (removed.length === 0 && error) await photos.readMark(signal)
    await forgetPhotos(db, removed)
    collected += removed.length
    after = last
  }
  if (collected === 0 && failure) throw failure
  return collected
}

async function listIntents(db: Executor, before: Date, after: string): Promise<string[]> {
  const rows = await db
    .select({ name: photoIntents.name })
    .from(photoIntents)
    .where(and(lt(photoIntents.startedAt, before), gt(photoIntents.name, after)))
    .orderBy(asc(photoIntents.name))
    .limit(BATCH)
  return rows.map(({ name }) => name)
}

/**
 * Removes files from the store.
 *
 * @param signal creates the signal that limits the time of one batch
 * @returns the names removed, and the last error if there was one
 */
export async function removePhotos(
  photos: PhotoStorage,
  names: readonly string[],
  signal?: () => AbortSignal,
): Promise<{ removed: string[]; error: unknown }> {
  const removed: string[] = []
  let error: unknown
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH)
    const limit = signal?.()
    const results = await Promise.allSettled(batch.map((name) => photos.remove(name, limit)))
    removed.push(...batch.filter((_, index) => results[index]?.status === 'fulfilled'))
    error = results.find((result) => result.status === 'rejected')?.reason ?? error
  }
  return { removed, error }
}
