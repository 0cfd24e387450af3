import { and, eq, inArray, sql } from 'drizzle-orm'
import { heldStates } from '#domain/inventory.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, inventory } from '#server/platform/database/schema.ts'
import { post, postUndone } from './ledger.ts'

/** Puts a completed submission into the inventory. A card that left the stock before, and was paid again, stays out. */
export async function enterStock(
  tx: Transaction,
  { id: giftCardId, sellerId }: { id: string; sellerId: string },
  cost: number,
): Promise<void> {
  const entered = await tx
    .insert(inventory)
    .values({ giftCardId, sellerId, cost })
    .onConflictDoNothing()
    .returning({ giftCardId: inventory.giftCardId })
  if (entered.length > 0) return post(tx, 'stocked', { cost }, { giftCardId })
  const [item] = await tx
    .select({ leftAt: inventory.leftAt })
    .from(inventory)
    .where(eq(inventory.giftCardId, giftCardId))
  await tx
    .update(giftCards)
    .set({ releasedAt: item?.leftAt ?? null })
    .where(eq(giftCards.id, giftCardId))
}

/** Removes a submission that is no longer completed from the stock. An item that was sold, used or bad stays as it is. */
export async function leaveStock(tx: Transaction, giftCardId: string): Promise<void> {
  const removed = await tx
    .delete(inventory)
    .where(and(eq(inventory.giftCardId, giftCardId), inArray(inventory.state, [...heldStates])))
    .returning({ cost: inventory.cost })
  for (const { cost } of removed) await postUndone(tx, 'stocked', { cost }, { giftCardId })
}

/**
 * Refuses to cancel what we owe for a card that left the stock. Its cost is in another account by then, so whoever cancels it
 * puts the card back first.
 */
export async function requireNotGone(tx: Transaction, giftCardId: string): Promise<void> {
  const count = await tx.$count(inventory, eq(inventory.giftCardId, giftCardId))
  if (count > 0) throw new Refusal('card_gone', 'refusals.card_gone')
}

/** Whether the card of an approved submission left the stock although it is not paid, for queries of gift_cards. */
export const cardIsGone = sql<boolean>`exists (
  select 1 from inventory where inventory.gift_card_id = gift_cards.id
)`
