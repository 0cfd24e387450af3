import { NIL } from 'uuid'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { type Delivery, publish } from '#server/platform/live/publish.ts'
import * as queries from './clear-queries.ts'
import { deletePhotos } from './photo-queries.ts'
import { removeFiles } from './photos.ts'

/** So many are locked at once: a move of one of them waits for some milliseconds. */
const BATCH = 500
/** So many messages are one notification, which may have 8000 bytes. */
const MESSAGES = 40

/**
 * Removes every submission that is not completed, and erases its secrets and photos: batch by batch, each whole or
 * not at all, so that 100,000 of them hold nobody up. What arrives meanwhile stays. A move at the same time comes
 * before it, and counts, or after it, and finds nothing.
 * @returns how many were removed
 */
export async function clearSubmissions(context: Context, staff: Staff): Promise<number> {
  const until = new Date((await readClock(context.db))())
  let cleared = 0
  for (let after: string = NIL; ; ) {
    const ids = await queries.findClearable(context.db, { after, until, limit: BATCH })
    const last = ids.at(-1)
    if (last === undefined) return cleared
    cleared += await clearBatch(context, staff, ids)
    after = last
  }
}

/** What clear-all would remove now, at the same cost however many there are. */
export async function countClearable({ db }: Context) {
  const byStatus = Object.fromEntries(await queries.countClearable(db))
  return { total: Object.values(byStatus).reduce((sum, count) => sum + count, 0), byStatus }
}

async function clearBatch(context: Context, staff: Staff, ids: readonly string[]): Promise<number> {
  const { cards, files } = await transaction(context.db, async (tx) => {
    const cards = await queries.lockClearable(tx, ids)
    if (cards.length === 0) return { cards, files: [] }
    const locked = cards.map(({ id }) => id)
    const files = await deletePhotos(tx, locked)
    await queries.eraseCards(tx, locked)
    await announce(tx, new Set(cards.map(({ sellerId }) => sellerId)))
    await record(tx, {
      actor: staff,
      action: 'submissions.cleared',
      subject: { kind: 'submissions', id: 'all' },
      details: { deletedCount: cards.length, ...countStatuses(cards) },
    })
    return { cards, files }
  })
  // Nobody can open them any more; what is left behind here, the hourly collection removes.
  await removeFiles(context, files)
  return cards.length
}

function countStatuses(cards: readonly { status: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of cards) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function announce(tx: Transaction, sellerIds: ReadonlySet<string>): Promise<void> {
  const deliveries: Delivery[] = [{ to: 'staff', message: { type: 'SUBMISSIONS_CLEARED' } }]
  for (const userId of sellerIds) {
    deliveries.push({ to: { userId }, message: { type: 'SUBMISSIONS_CLEARED', userId } })
  }
  for (let at = 0; at < deliveries.length; at += MESSAGES) {
    await publish(tx, deliveries.slice(at, at + MESSAGES))
  }
}
