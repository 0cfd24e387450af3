import { sql } from 'drizzle-orm'
import { record } from '#server/features/audit/actions.ts'
import { postEntries } from '#server/features/books/ledger.ts'
import { enterStock } from '#server/features/books/stock.ts'
import { enqueueManyPushes } from '#server/features/notifications/actions.ts'
import { idOf, type Staff, type System } from '#server/http/actor.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { enqueueMany } from '#server/platform/jobs/jobs.ts'
import { publishMany } from '#server/platform/live/publish.ts'
import { insertHistory, mailKey } from './history.ts'
import { allowedMove, moveMessages } from './move.ts'
import type { LockedCard } from './queries.ts'
import { findGathered, sendReceiptsFirst } from './sales.ts'

/** Emails enqueued for the same second, so that those of many submissions do not delay other emails. */
const MAILS_PER_SECOND = 20

/**
 * Completes locked submissions whose payouts were confirmed, as `makeMove` does for one, with a few statements for all of them.
 *
 * @param mailedBefore how many sellers' emails the caller has enqueued before
 * @param mailed whether to email the seller about a submission. Submissions that were paid together share one email.
 */
export async function completeConfirmed(
  tx: Transaction,
  cards: readonly LockedCard[],
  actor: Staff | System,
  { mailedBefore, mailed }: { mailedBefore: number; mailed: (card: LockedCard) => boolean },
): Promise<void> {
  const to = 'completed' as const
  const moves = await Promise.all(
    cards.map(async (card) => ({ card, move: await allowedMove(tx, card, actor.kind, { to }) })),
  )
  const ids = cards.map(({ id }) => id)
  await tx.execute(sql`
    update gift_cards set status = ${to}, version = version + 1, answered = false, offer_amount = null, offer_expires_at = null,
      released_at = null, updated_at = clock_timestamp()
    where id = any(${sql.param(ids)}::uuid[])`)
  await insertHistory(
    tx,
    ...moves.map(({ card, move }) => ({
      giftCardId: card.id,
      version: card.version + 1,
      fromStatus: card.status,
      toStatus: to,
      move: move.name,
      byKind: actor.kind,
      byId: idOf(actor),
      at: card.lockedAt,
    })),
  )
  const items = cards.map(({ id, sellerId, brand, sellingPrice }) => ({
    id,
    sellerId,
    brand,
    cost: sellingPrice,
  }))
  await postEntries(tx, await enterStock(tx, items))
  await countTrades(tx, cards, idOf(actor))
  await record(
    tx,
    ...moves.map(({ card, move }) => ({
      actor,
      action: 'submission.moved' as const,
      subject: { kind: 'submission', id: card.id } as const,
      details: { from: move.from, to, move: move.name },
    })),
  )
  await tellSellers(tx, cards.filter(mailed), mailedBefore)
  await publishMany(
    tx,
    cards.flatMap((card) => moveMessages(card, { to })),
  )
}

/** Counts the completed submissions as trades of their sellers, who are locked in the order of their ids. */
async function countTrades(
  tx: Transaction,
  cards: readonly LockedCard[],
  buyerId: string | null,
): Promise<void> {
  const ids = sql.param(cards.map(({ id }) => id))
  const sellerIds = sql.param(cards.map(({ sellerId }) => sellerId))
  await tx.execute(
    sql`update transactions set buyer_id = ${buyerId} where gift_card_id = any(${ids}::uuid[])`,
  )
  await tx.execute(sql`
    with trades as (
      select seller_id, count(*) from unnest(${sellerIds}::uuid[]) as seller_id group by 1
    ), locked as materialized (
      select id from users where id in (select seller_id from trades) order by id for no key update
    )
    update users set trade_count = trade_count + trades.count
    from locked join trades on trades.seller_id = locked.id where users.id = locked.id`)
}

/** Emails and pushes about the completed submissions. */
async function tellSellers(
  tx: Transaction,
  cards: readonly LockedCard[],
  mailedBefore: number,
): Promise<void> {
  const receipts = await sendReceiptsFirst(tx, cards)
  const gathered = await findGathered(
    tx,
    cards.map(({ id }) => id),
  )
  const news = cards.map((card, index) => ({
    sellerId: card.sellerId,
    move: { giftCardId: card.id, version: card.version + 1 },
    // A second later than the receipt of the same sale.
    afterSeconds:
      Math.floor((mailedBefore + index) / MAILS_PER_SECOND) +
      (card.saleId !== null && receipts.has(card.saleId) ? 1 : 0),
  }))
  await enqueueMany(
    tx,
    'statusMail',
    news.map(({ move, afterSeconds }) => ({
      key: mailKey(move),
      payload: move,
      afterSeconds: afterSeconds + (gathered.get(move.giftCardId) ?? 0),
    })),
  )
  await enqueueManyPushes(
    tx,
    news.map(({ sellerId, move, afterSeconds }) => ({
      userId: sellerId,
      news: { about: 'move', ...move },
      afterSeconds,
    })),
  )
}
