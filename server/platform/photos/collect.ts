import type { Database } from '#server/platform/database/pool.ts'
import { abandonPhotos, forgetPhotos, listIntents } from './intents.ts'
import type { PhotoStorage } from './storage.ts'

export interface Collection {
  readonly db: Database
  readonly photos: PhotoStorage
  /** Younger intents are left alone: their photos may belong to a submission that is not committed yet. */
  readonly before: Date
  /** Ends it before the next photos are removed. */
  readonly signal?: AbortSignal
}

/** Files that are removed from the store at the same time. */
const AT_ONCE = 32

/**
 * Removes the files that were announced and never claimed, and those whose removal failed before. Other files in
 * the store are never touched.
 *
 * @returns how many are gone
 * @throws what the store said last if it removed nothing at all
 */
export async function collectPhotos({ db, photos, before, signal }: Collection): Promise<number> {
  let collected = 0
  let failure: unknown
  let after = ''
  while (!signal?.aborted) {
    const names = await listIntents(db, { before, after, limit: AT_ONCE })
    const last = names.at(-1)
    if (last === undefined) break
    const { gone, error } = await removeAll(photos, await abandonPhotos(db, names))
    failure = error ?? failure
    // A store that is down fails here too, which ends the run.
    if (gone.length === 0 && error) await photos.readMark(signal)
    await forgetPhotos(db, gone)
    collected += gone.length
    after = last
  }
  if (collected === 0 && failure) throw failure
  return collected
}

/** Removes files from the store. @returns the names that are gone, and why another one is not */
export async function removeAll(
  photos: PhotoStorage,
  names: readonly string[],
  signal?: () => AbortSignal,
): Promise<{ gone: string[]; error: unknown }> {
  const gone: string[] = []
  let error: unknown
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const until = signal?.()
    await Promise.all(
      names.slice(at, at + AT_ONCE).map((name) =>
        photos.remove(name, until).then(
          () => gone.push(name),
          (thrown) => {
            error = thrown
          },
        ),
      ),
    )
  }
  return { gone, error }
}
