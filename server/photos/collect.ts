import type { PhotoStorage } from './storage.ts'

export type Collection = {
  storage: PhotoStorage
  /** Which of these names a row of the database holds. Asked for at most 500 at a time. */
  isClaimed: (names: readonly string[]) => Promise<ReadonlySet<string>>
  /** Only what was stored before is removed: younger photos may belong to a submission not committed yet. */
  before: Date
}

const BATCH = 500

/**
 * Removes stored photos that belong to nothing: those of submissions that were refused or cut off after their
 * photos were stored, and those whose removal failed. Says how many files went.
 */
export async function collectPhotos({ storage, isClaimed, before }: Collection): Promise<number> {
  let removed = await storage.removeUnfinished(before)
  let batch: string[] = []
  for await (const { name, storedAt } of storage.list()) {
    if (storedAt < before) batch.push(name)
    if (batch.length < BATCH) continue
    removed += await removeUnclaimed(storage, batch, isClaimed)
    batch = []
  }
  return removed + (await removeUnclaimed(storage, batch, isClaimed))
}

async function removeUnclaimed(
  storage: PhotoStorage,
  names: readonly string[],
  isClaimed: Collection['isClaimed'],
): Promise<number> {
  if (names.length === 0) return 0
  const claimed = await isClaimed(names)
  const unclaimed = names.filter((name) => !claimed.has(name))
  for (const name of unclaimed) await storage.remove(name)
  return unclaimed.length
}
