import { and, eq, lte, sql } from 'drizzle-orm'
import type { Context } from '#server/context.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { allowedMove, makeMove } from './move.ts'
import { lockCard, notCleared } from './queries.ts'

/** Offers read at a time. */
const BATCH = 100

/** Ends the offers whose time is over. Returns how many. Several servers may do it at once. */
export async function expireOffers(context: Context, signal: AbortSignal): Promise<number> {
  let expired = 0
  for (;;) {
    const due = await context.db
      .select({ id: giftCards.id })
      .from(giftCards)
      .where(and(eq(giftCards.status, 'offered'), lte(giftCards.offerExpiresAt, sql`now()`), notCleared))
      .limit(BATCH)
    for (const { id } of due) {
      if (signal.aborted) return expired
      if (await expire(context, id)) expired += 1
    }
    if (due.length < BATCH) return expired
  }
}

/** Returns whether it did: the seller, or another server, may have been faster. */
function expire(context: Context, id: string): Promise<boolean> {
  return transaction(context.db, async (tx) => {
    const card = await lockCard(tx, id)
    if (!card?.offerExpiresAt || card.offerExpiresAt > card.lockedAt) return false
    const move = await allowedMove(tx, card, 'system', { to: 'cancelled' })
    await makeMove(tx, context, card, { kind: 'system' }, move)
    return true
  })
}
