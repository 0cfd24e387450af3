import { and, asc, count, gt, inArray, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import { clearableStatuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { followMove } from '#server/features/books/actions.ts'
import {
  dissolveUnreleased,
  lockPayouts,
  moneyCameBack,
  payoutOnItsWay,
} from '#server/features/books/payouts.ts'
import { cardIsGone } from '#server/features/books/stock.ts'
import type { Staff } from '#server/http/actor.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { claims, giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { type Delivery, publishMany } from '#server/platform/live/publish.ts'
import { erasedSecrets } from '../erase.ts'
import { deleteHolds, isOnHold } from '../holds.ts'
import { deletePhotos, removeFiles } from '../photos.ts'
import { deleteNotes } from './seller-page/notes.ts'

/** Submissions cleared in one transaction. A move of one of them waits a few milliseconds for it. */
const BATCH_SIZE = 500

/**
 * Removes every submission that is not completed, and erases its secrets and photos, in batches. Keeps submissions that
 * arrive after it began, those on hold, those whose payout is on its way or came back, and those whose card left the stock. Other
 * payouts become void, and their batches are dissolved.
 * @returns how many were removed
 */
export async function clearSubmissions(context: Context, staff: Staff): Promise<number> {
  const until = new Date((await readClock(context.db))())
  let cleared = 0
  for (let after: string = NIL; ; ) {
    const ids = await findClearable(context.db, { after, until, limit: BATCH_SIZE })
    const last = ids.at(-1)
    if (last === undefined) return cleared
    cleared += await clearBatch(context, staff, ids)
    after = last
  }
}

/** How many submissions clear-all would remove now. Exact: somebody confirms the number. */
export async function countClearable({ db }: Context) {
  const { status } = giftCards
  const [rows, keptByStatus] = await Promise.all([
    db.select({ status, count: count() }).from(giftCards).where(hasClearableStatus).groupBy(status),
    countKept(db),
  ])
  const counts = rows.map((row) => {
    const kept = keptByStatus.find((other) => other.status === row.status)
    return { ...row, count: kept ? row.count - kept.held - kept.sent - kept.owed - kept.gone : row.count }
  })
  const shown = counts.filter((row) => row.count > 0)
  const total = shown.reduce((sum, row) => sum + row.count, 0)
  return { total, byStatus: Object.fromEntries(shown.map((row) => [row.status, row.count])) }
}

/**
 * What clear-all keeps by status: those on hold, others whose payout is on its way, others whose money came back, and others whose
 * card left the stock.
 */
export async function countKept(db: Executor) {
  const count = (condition: SQL) => sql`count(*) filter (where ${condition})`.mapWith(Number)
  return await db
    .select({
      status: giftCards.status,
      held: count(isOnHold),
      sent: count(sql`${payoutOnItsWay} and not ${isOnHold}`),
      owed: count(sql`${moneyCameBack} and not ${payoutOnItsWay} and not ${isOnHold}`),
      gone: count(sql`${cardIsGone} and not ${moneyCameBack} and not ${payoutOnItsWay} and not ${isOnHold}`),
    })
    .from(giftCards)
    .where(and(hasClearableStatus, or(isOnHold, payoutOnItsWay, moneyCameBack, cardIsGone)))
    .groupBy(giftCards.status)
}

async function clearBatch(context: Context, staff: Staff, ids: readonly string[]): Promise<number> {
  const { cards, files } = await transaction(context.db, async (tx) => {
    const cards = await lockClearable(tx, ids)
    if (cards.length === 0) return { cards, files: [] }
    const locked = cards.map(({ id }) => id)
    await dissolveUnreleased(tx, locked, staff)
    const { netReceivables } = context.site.payouts
    for (const { status: from, sellingPrice: price, ...card } of cards) {
      await followMove(tx, card, { actor: staff, from, to: 'cancelled', price, netReceivables })
    }
    const files = await deletePhotos(tx, locked)
    await eraseCards(tx, locked)
    await deleteNotes(tx, locked)
    await deleteHolds(tx, locked)
    await pushCleared(tx, new Set(cards.map(({ sellerId }) => sellerId)))
    await record(tx, {
      actor: staff,
      action: 'submissions.cleared',
      subject: { kind: 'submissions', id: 'all' },
      details: { deletedCount: cards.length, ...countStatuses(cards) },
    })
    return { cards, files }
  })
  await removeFiles(context, files)
  return cards.length
}

function countStatuses(cards: readonly { status: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of cards) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function pushCleared(tx: Transaction, sellerIds: ReadonlySet<string>): Promise<void> {
  const deliveries: Delivery[] = [{ to: 'staff', message: { type: 'SUBMISSIONS_CLEARED' } }]
  for (const userId of sellerIds) {
    deliveries.push({ to: { userId }, message: { type: 'SUBMISSIONS_CLEARED', userId } })
  }
  await publishMany(tx, deliveries)
}

const hasClearableStatus = and(isNull(giftCards.clearedAt), inArray(giftCards.status, [...clearableStatuses]))
const clearable = and(
  hasClearableStatus,
  not(payoutOnItsWay),
  not(moneyCameBack),
  not(cardIsGone),
  not(isOnHold),
)

/** The next submissions by id that can be cleared and were created before `until`. */
async function findClearable(
  db: Executor,
  { after, until, limit }: { after: string; until: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(clearable, gt(giftCards.id, after), lte(giftCards.createdAt, until)))
    .orderBy(asc(giftCards.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/**
 * Locks those that can still be cleared, with their batches and payouts. Each lock is taken in the order of ids, so that two
 * clear-alls do not deadlock.
 */
async function lockClearable(tx: Transaction, ids: readonly string[]) {
  const isCleared = and(clearable, inArray(giftCards.id, [...ids]))
  const candidates = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(isCleared)
    .orderBy(asc(giftCards.id))
    .for('update')
  await lockPayouts(
    tx,
    candidates.map(({ id }) => id),
  )
  // Decided under the locks: a batch may have been released, or a hold placed, while this waited.
  return await tx
    .select({
      id: giftCards.id,
      sellerId: giftCards.sellerId,
      brand: giftCards.brand,
      status: giftCards.status,
      sellingPrice: giftCards.sellingPrice,
      paymentType: giftCards.paymentType,
      paymentAccountHint: giftCards.paymentAccountHint,
    })
    .from(giftCards)
    .where(
      and(
        clearable,
        inArray(
          giftCards.id,
          candidates.map(({ id }) => id),
        ),
      ),
    )
}

/** Removes submissions from every list and erases their secrets and keys, so that copies in backups cannot be opened. */
async function eraseCards(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .update(giftCards)
    .set({
      clearedAt: sql`now()`,
      ...erasedSecrets,
      cardNumberIndex: null,
      cardNumberLastFour: null,
      paymentAccountIndex: null,
      paymentAccountHint: '',
      paymentRoutingHint: null,
      paymentAccountNumberHint: null,
    })
    .where(inArray(giftCards.id, [...ids]))
  await tx.delete(claims).where(inArray(claims.giftCardId, [...ids]))
}
