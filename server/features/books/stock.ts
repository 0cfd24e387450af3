import { and, eq, inArray, sql } from 'drizzle-orm'
import { heldStates, isHeld, mayMoveStock, type StockState } from '#domain/inventory.ts'
import type { Status } from '#domain/submission.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, inventory } from '#server/platform/database/schema.ts'
import {
  type Entry,
  entryOf,
  lockReceivable,
  post,
  postEntries,
  postUndone,
  undoneEntryOf,
} from './ledger.ts'
import type { PayableCard } from './payouts.ts'

export type StockItem = typeof inventory.$inferSelect

/**
 * Puts completed submissions into the inventory. A card that left the stock before, and was paid again, stays out.
 * @returns the entries to post
 */
export async function enterStock(
  tx: Transaction,
  cards: readonly (Pick<PayableCard, 'id' | 'sellerId' | 'brand'> & { readonly cost: number })[],
): Promise<Entry[]> {
  const entered = await tx
    .insert(inventory)
    .values(cards.map(({ id, ...card }) => ({ giftCardId: id, ...card })))
    .onConflictDoNothing()
    .returning({ giftCardId: inventory.giftCardId, cost: inventory.cost })
  const entries = entered.map(({ giftCardId, cost }) => entryOf('stocked', { cost }, { giftCardId }))
  if (entered.length === cards.length) return entries
  const isNew = new Set(entered.map(({ giftCardId }) => giftCardId))
  const known = cards.filter(({ id }) => !isNew.has(id)).map(({ id }) => id)
  await tx.execute(sql`
    update gift_cards set released_at = inventory.left_at from inventory
    where inventory.gift_card_id = gift_cards.id and gift_cards.id = any(${sql.param(known)}::uuid[])`)
  return entries
}

/**
 * Removes a submission that is no longer completed from the stock. Sold, used and bad items stay.
 * @returns the entries to post
 */
export async function leaveStock(tx: Transaction, giftCardId: string): Promise<Entry[]> {
  const removed = await tx
    .delete(inventory)
    .where(and(eq(inventory.giftCardId, giftCardId), inArray(inventory.state, [...heldStates])))
    .returning({ cost: inventory.cost })
    .prepare('leave_stock')
    .execute()
  return removed.map(({ cost }) => undoneEntryOf('stocked', { cost }, { giftCardId }))
}

/**
 * Refuses to cancel what we owe for a card that left the stock. Its cost is in another account by then, so the card must be
 * put back first.
 */
export async function requireNotGone(tx: Transaction, giftCardId: string): Promise<void> {
  const count = await tx.$count(inventory, eq(inventory.giftCardId, giftCardId))
  if (count > 0) throw new Refusal('card_gone', 'refusals.card_gone')
}

/** Whether the card of an approved submission left the stock although it is not paid, for queries of gift_cards. */
export const cardIsGone = sql<boolean>`exists (
  select 1 from inventory where inventory.gift_card_id = gift_cards.id
)`

/** Locks a submission and then its item, the order in which all changes lock them. */
export async function lockStock(
  tx: Transaction,
  giftCardId: string,
): Promise<{ item: StockItem; status: Status } | undefined> {
  const [card] = await tx
    .select({ status: giftCards.status })
    .from(giftCards)
    .where(eq(giftCards.id, giftCardId))
    .for('update')
  const [item] = await tx.select().from(inventory).where(eq(inventory.giftCardId, giftCardId)).for('update')
  return card && item && { item, status: card.status }
}

/** What an item becomes. `soldAt` and `proceeds` are for sold ones only. */
export interface StockMove {
  readonly state: StockState
  readonly channel: string | null
  readonly soldAt: Date | null
  /** Cents. */
  readonly proceeds: number | null
}

/**
 * Moves a locked item, with its entry in the ledger. The secrets of its submission are erased some days after it left the stock.
 * An item that comes back although its submission is no longer completed leaves the inventory. Throws `illegal_stock_move`.
 */
export async function moveStock(
  tx: Transaction,
  { item, status }: { item: StockItem; status: Status },
  move: StockMove,
): Promise<void> {
  if (!mayMoveStock(item.state, move.state)) throw illegalStockMove(item)
  await postOutcome(tx, postUndone, item)
  const leftAt = isHeld(move.state) ? null : sql`now()`
  const isThis = eq(inventory.giftCardId, item.giftCardId)
  await tx
    .update(inventory)
    .set({ ...move, writtenOff: 0, leftAt })
    .where(isThis)
  await tx.update(giftCards).set({ releasedAt: leftAt }).where(eq(giftCards.id, item.giftCardId))
  await postOutcome(tx, post, { ...item, ...move, writtenOff: 0 })
  if (status !== 'completed') await postEntries(tx, await leaveStock(tx, item.giftCardId))
}

/** Posts the entries of a sold, used or bad card, or undoes them. Posts nothing for a card that we still have. */
async function postOutcome(
  tx: Transaction,
  how: typeof post,
  { giftCardId, sellerId, cost, state, soldAt, proceeds, writtenOff }: StockItem,
): Promise<void> {
  const subject = { giftCardId }
  if (state === 'sold') {
    // Taken back on the day of its entry, also if the shop's time zone has changed since.
    const { rows } = await tx.execute<{ on: string }>(
      how === post
        ? sql`select ${soldAt}::timestamptz::date::text as on`
        : sql`select value_date::text as on from ledger_entries
            where gift_card_id = ${giftCardId} and event = 'sold' order by id desc limit 1`,
    )
    await how(tx, 'sold', { cost, proceeds: proceeds ?? 0 }, { ...subject, on: rows[0]?.on })
  }
  if (state === 'used') await how(tx, 'used', { cost }, subject)
  if (state === 'bad') {
    await lockReceivable(tx, sellerId)
    await how(tx, 'bad', { cost, sellerId }, subject)
    await how(tx, 'written_off', { amount: writtenOff, sellerId }, subject)
  }
}

/** The maximum to write off for a locked bad item, in cents: the seller's whole debt, up to the rest of the item's cost. */
export async function lockWriteOff(tx: Transaction, item: StockItem): Promise<number> {
  if (item.state !== 'bad') throw new Refusal('illegal_stock_move', 'refusals.write_off_not_bad')
  return Math.max(0, Math.min(item.cost - item.writtenOff, await lockReceivable(tx, item.sellerId)))
}

/** Writes off `amount` cents of the seller's debt for a locked bad item. */
export async function writeOffStock(tx: Transaction, item: StockItem, amount: number): Promise<void> {
  const { giftCardId, sellerId } = item
  await tx
    .update(inventory)
    .set({ writtenOff: item.writtenOff + amount })
    .where(eq(inventory.giftCardId, giftCardId))
  await post(tx, 'written_off', { amount, sellerId }, { giftCardId })
}

function illegalStockMove({ state }: StockItem): Refusal {
  return new Refusal('illegal_stock_move', 'refusals.illegal_stock_move', { params: { state } })
}
