import { and, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { erasedByAge, finalStatuses } from '#domain/submission.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { giftCards } from '#server/platform/database/schema.ts'

/**
 * Locks some submissions that still have secrets and have been final since before then, completed ones since their
 * release. What others hold is left out.
 */
export async function lockErasable(tx: Transaction, { before, limit }: { before: Date; limit: number }) {
  // A move is the last change of a submission: it has been final since then.
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
      ),
    )
    .orderBy(since)
    .limit(limit)
    .for('update', { skipLocked: true })
}

/** Completed submissions that still have secrets and were not released. */
const releasable = and(
  eq(giftCards.status, 'completed'),
  isNotNull(giftCards.dataKey),
  isNull(giftCards.releasedAt),
)

/** Releases a completed submission, or the next ones that were completed before then. @returns their ids */
export async function releaseCards(
  tx: Transaction,
  { id, completedBefore, limit }: { id?: string; completedBefore?: Date; limit: number },
): Promise<string[]> {
  const locked = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(
      and(
        releasable,
        id === undefined ? undefined : eq(giftCards.id, id),
        completedBefore && lt(giftCards.updatedAt, completedBefore),
      ),
    )
    .orderBy(giftCards.updatedAt)
    .limit(limit)
    .for('update')
  const ids = locked.map((row) => row.id)
  await tx.update(giftCards).set({ releasedAt: sql`now()` }).where(inArray(giftCards.id, ids))
  return ids
}

/** Why a submission cannot be released. */
export async function findForRelease(db: Executor, id: string) {
  const { status, releasedAt, secretsErasedAt } = giftCards
  const [row] = await db
    .select({ status, releasedAt, secretsErasedAt })
    .from(giftCards)
    .where(eq(giftCards.id, id))
  return row
}

/**
 * Erases what is secret and keeps what is shown in its place: last four digits and masked accounts. The keyed indexes
 * stay too, so that the same card is still noticed when it is sold once more.
 */
export async function eraseSecrets(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .update(giftCards)
    .set({
      secretsErasedAt: sql`now()`,
      dataKey: null,
      cardNumber: null,
      securityCode: null,
      expirationDate: null,
      paymentAccountInfo: null,
      paymentRoutingNumber: null,
      paymentAccountNumber: null,
    })
    .where(inArray(giftCards.id, [...ids]))
}
