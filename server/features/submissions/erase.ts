import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { readClock } from '#server/platform/database/clock.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { eraseSecrets, lockErasable } from './erase-queries.ts'
import { deletePhotos } from './photo-queries.ts'
import { removeFiles } from './photos.ts'

const DAY_MS = 24 * 3600 * 1000
const BATCH = 100

/**
 * Erases number, PIN, payout account and photos of the submissions that have been final for `days` days; for completed ones
 * the days count from their release. Destroys their key, so copies of the photos cannot be opened either. A reverted
 * submission is not final and keeps its data.
 * @param signal ends it before the next hundred
 * @returns how many were erased
 */
export async function eraseOldSecrets(context: Context, days: number, signal?: AbortSignal): Promise<number> {
  // What is erased is gone: the wall clock of one server is no reason.
  const now = await readClock(context.db)
  const before = new Date(now() - days * DAY_MS)
  let erased = 0
  while (!signal?.aborted) {
    const count = await eraseBatch(context, before, days)
    if (count === 0) break
    erased += count
  }
  return erased
}

async function eraseBatch(context: Context, before: Date, days: number): Promise<number> {
  const { ids, files } = await transaction(context.db, async (tx) => {
    const ids = (await lockErasable(tx, { before, limit: BATCH })).map(({ id }) => id)
    if (ids.length === 0) return { ids, files: [] }
    const files = await deletePhotos(tx, ids)
    await eraseSecrets(tx, ids)
    for (const id of ids) {
      await record(tx, {
        actor: { kind: 'system' },
        action: 'submission.erased',
        subject: { kind: 'submission', id },
        details: { afterDays: days },
      })
    }
    return { ids, files }
  })
  // Nobody can open them any more; what is left behind here, the hourly collection removes.
  await removeFiles(context, files)
  return ids.length
}
