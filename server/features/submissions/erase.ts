import { and, inArray, isNotNull, lt, not, or, sql } from 'drizzle-orm'
import { erasedByAge, finalStatuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { deleteNotes } from './desk/seller-page/notes.ts'
import { deleteHolds, isOnHold, withoutHeld } from './holds.ts'
import { deletePhotos, removeFiles } from './photos.ts'

const DAY_MS = 24 * 3600 * 1000
const BATCH_SIZE = 100

/**
 * Erases number, PIN, payout account, photos and notes of submissions that have been final for `days` days; completed ones count
 * from when their card left the stock. Keeps those on hold. Also erases their keys, so that copies in backups cannot be opened.
 * @param signal stops before the next batch
 * @returns how many were erased
 */
export async function eraseOldSecrets(context: Context, days: number, signal?: AbortSignal): Promise<number> {
  // The database's clock: a wrong clock on one server must not erase anything early.
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
    const locked = await lockErasable(tx, { before, limit: BATCH_SIZE })
    const ids = (await withoutHeld(tx, locked)).map(({ id }) => id)
    if (ids.length === 0) return { ids, files: [] }
    const files = await deletePhotos(tx, ids)
    await eraseSecrets(tx, ids)
    await deleteNotes(tx, ids)
    await deleteHolds(tx, ids)
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
  await removeFiles(context, files)
  return ids.length
}

/**
 * Locks the next submissions that still have secrets and were final before `before`, or completed and out of stock before it.
 * Skips those on hold, and rows that others have locked.
 */
export async function lockErasable(tx: Transaction, { before, limit }: { before: Date; limit: number }) {
  // Only moves change `updatedAt`, so a final submission became final then.
  const since = sql<Date>`coalesce(${giftCards.releasedAt}, ${giftCards.updatedAt})`
  return await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(
      and(
        isNotNull(giftCards.dataKey),
        inArray(giftCards.status, [...finalStatuses]),
        or(inArray(giftCards.status, [...erasedByAge]), isNotNull(giftCards.releasedAt)),
        lt(since, sql.param(before, giftCards.updatedAt)),
        not(isOnHold),
      ),
    )
    .orderBy(since)
    .limit(limit)
    .for('update', { skipLocked: true })
}

/** Values that erase a submission's secrets. */
export const erasedSecrets = {
  dataKey: null,
  cardNumber: null,
  securityCode: null,
  expirationDate: null,
  paymentAccountInfo: null,
  paymentRoutingNumber: null,
  paymentAccountNumber: null,
}

/** Keeps the last four digits, the masked accounts and the keyed indexes, which find the same card when it is sold again. */
export async function eraseSecrets(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .update(giftCards)
    .set({ secretsErasedAt: sql`now()`, ...erasedSecrets })
    .where(inArray(giftCards.id, [...ids]))
}
