import type { z } from 'zod'
import type { inventoryRoutes, StockAnswer, StockChange } from '#contract/inventory.ts'
import { maskCardLike, maskCardNumber } from '#domain/card-number.ts'
import { toDecimal, toDollars } from '#domain/money.ts'
import { startOfDay } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { type AuditEntry, record } from '#server/features/audit/actions.ts'
import {
  lockStock,
  lockWriteOff,
  moveStock,
  type StockItem,
  type StockMove,
  writeOffStock,
} from '#server/features/books/stock.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { findStockItem, type StockRow } from './queries.ts'

/** Records the status of a card. If two people do so at the same time, the first change counts and the other gets 409. */
export async function changeItem(
  { db, site }: Context,
  actor: Staff,
  id: string,
  change: StockChange,
): Promise<StockAnswer | null> {
  return transaction(db, async (tx) => {
    await changeStock(tx, actor, id, inShopTime(change, site))
    const row = await findStockItem(tx, id)
    return row ? toStockAnswer(row) : null
  })
}

/** Changes several cards, each in its own transaction. @returns the ids that were refused, each with its refusal */
export async function changeItems(
  { db, site }: Context,
  actor: Staff,
  { ids, ...change }: z.output<typeof inventoryRoutes.changeStocks.body>,
): Promise<{ changed: number; refused: { id: string; refusal: Refusal }[] }> {
  const refused: { id: string; refusal: Refusal }[] = []
  for (const id of ids) {
    try {
      await transaction(db, (tx) => changeStock(tx, actor, id, inShopTime(change, site)))
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      refused.push({ id, refusal })
    }
  }
  return { changed: ids.length - refused.length, refused }
}

export type Change = Partial<Omit<StockChange, 'soldAt'>> &
  Pick<StockChange, 'state'> & { readonly soldAt?: Date | undefined }

/** A day is given without a time zone: it starts when it does in the shop. */
export function inShopTime(
  { soldAt, ...change }: Omit<StockChange, 'from'> & Pick<Partial<StockChange>, 'from'>,
  { timeZone }: Context['site'],
): Change {
  if (soldAt === undefined) return change
  return { ...change, soldAt: soldAt.includes('T') ? new Date(soldAt) : startOfDay(soldAt, timeZone) }
}

/** Changes a card. The caller may have locked its submission. */
export async function changeStock(
  tx: Transaction,
  actor: AuditEntry['actor'],
  id: string,
  change: Change,
): Promise<void> {
  const locked = await lockStock(tx, id)
  if (!locked) throw notFound()
  const { item } = locked
  if (change.from && change.from !== item.state) throw stockChanged(item)
  const move = toMove(item, change)
  await moveStock(tx, locked, move)
  await recordChange(tx, actor, item, {
    from: item.state,
    to: move.state,
    ...(move.channel !== null && { channel: maskCardLike(move.channel) }),
    ...(move.proceeds !== null && { proceeds: toDecimal(move.proceeds) }),
    ...(move.soldAt !== null && { soldAt: move.soldAt.toISOString() }),
  })
}

/** The item after the change. A sold card keeps the channel that it was listed on. */
export function toMove(item: StockItem, { state, channel, soldAt, proceeds }: Change): StockMove {
  const hasChannel = state === 'listed' || state === 'sold'
  const isSold = state === 'sold'
  return {
    state,
    channel: hasChannel ? (channel ?? item.channel) : null,
    soldAt: isSold ? (soldAt ?? new Date()) : null,
    proceeds: isSold ? (proceeds ?? 0) : null,
  }
}

function stockChanged({ state }: StockItem): Refusal {
  return new Refusal('stock_changed', 'refusals.stock_changed', { params: { state } })
}

/** Writes off all or part of what the seller still owes for a bad card. */
export async function writeOff(
  { db }: Context,
  actor: Staff,
  id: string,
  amount: number | undefined,
): Promise<StockAnswer> {
  return transaction(db, async (tx) => {
    const locked = await lockStock(tx, id)
    if (!locked) throw notFound()
    const { item } = locked
    const maximum = await lockWriteOff(tx, item)
    if (maximum === 0) throw new Refusal('nothing_to_write_off', 'refusals.nothing_to_write_off')
    if (amount !== undefined && amount > maximum) {
      const params = { maximum: toDollars(maximum) }
      throw invalid([{ path: 'amount', code: 'write_off_too_high', params }])
    }
    await writeOffStock(tx, item, amount ?? maximum)
    await recordChange(tx, actor, item, { writtenOff: toDecimal(amount ?? maximum) })
    const row = await findStockItem(tx, id)
    if (!row) throw notFound()
    return toStockAnswer(row)
  })
}

function recordChange(
  tx: Transaction,
  actor: AuditEntry['actor'],
  { giftCardId: id }: StockItem,
  details: AuditEntry['details'] & object,
): Promise<void> {
  const subject = { kind: 'submission', id } as const
  return record(tx, { actor, action: 'inventory.changed', subject, details })
}

export function toStockAnswer({ item, card, ...found }: StockRow): StockAnswer {
  const cardNumber = maskCardNumber(card.cardNumberLastFour)
  return { ...item, ...card, ...found, id: item.giftCardId, cardNumber }
}
