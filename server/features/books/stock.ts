import { and, eq, inArray } from 'drizzle-orm'
import { heldStates } from '#domain/inventory.ts'
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
