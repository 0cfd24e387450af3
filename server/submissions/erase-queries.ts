import { and, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { finalStatuses } from '#domain/submission.ts'
import type { Transaction } from '#server/database/pool.ts'
import { giftCards } from '#server/database/schema.ts'

/** Locks some submissions that have been final since before then and still have secrets; what others hold is left out. */
export async function lockErasable(tx: Transaction, { before, limit }: { before: Date; limit: number }) {
  return await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(
      and(
        isNotNull(giftCards.dataKey),
        inArray(giftCards.status, [...finalStatuses]),
        // A move is the last change of a submission: it has been final since then.
        lt(giftCards.updatedAt, before),
      ),
    )
    .orderBy(giftCards.updatedAt)
    .limit(limit)
    .for('update', { skipLocked: true })
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
