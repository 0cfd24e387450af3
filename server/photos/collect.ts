import type { PhotoStorage } from './storage.ts'

export type Collection = {
  storage: PhotoStorage
  /** Which of these names a row of the database holds. Asked for at most 500 at a time. */
  isClaimed: (names: readonly string[]) => Promise<ReadonlySet<string>>
  /** Only what was stored before is removed: younger photos may belong to a submission not committed yet. */
  before: Date
  /** Ends it before the next photo that is listed or removed. */
  signal?: AbortSignal
}

const BATCH = 500

/**
 * Removes stored photos that belong to nothing: those of submissions that were refused or cut off after their
 * photos were stored, and those whose removal failed. Says how many files went.
 */
export async function collectPhotos(collection: Collection): Promise<number> {
  const { storage, before, signal } = collection
  let removed = await storage.removeUnfinished(before)
  let batch: string[] = []
  for await (const { name, storedAt } of storage.list()) {
    if (signal?.aborted) return removed
    if (storedAt < before) batch.push(name)
    if (batch.length < BATCH) continue
    removed += await removeUnclaimed(batch, collection)
    batch = []
  }
  return removed + (await removeUnclaimed(batch, collection))
}

async function removeUnclaimed(
  names: readonly string[],
  { storage, isClaimed, signal }: Collection,
): Promise<number> {
  if (names.length === 0) return 0
  const claimed = await isClaimed(names)
  let removed = 0
  for (const name of names) {
    if (claimed.has(name)) continue
    if (signal?.aborted) break
    await storage.remove(name)
    removed++
  }
  return removed
}
