import { sql } from 'drizzle-orm'
import { record } from '#server/features/audit/actions.ts'
import { enterStock } from '#server/features/books/stock.ts'
import { enqueueManyPushes } from '#server/features/notifications/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { enqueueMany } from '#server/platform/jobs/jobs.ts'
import { publishMany } from '#server/platform/live/publish.ts'
import { insertHistory, mailKey } from './history.ts'
import { addTrades, allowedMove, moveMessages } from './move.ts'
import type { LockedCard } from './queries.ts'
import { sendReceiptsFirst } from './sales.ts'

/** Emails enqueued for the same second, so that those of many submissions do not delay other emails. */
const MAILS_PER_SECOND = 20

/**
 * Completes locked submissions whose payouts were confirmed, as `makeMove` does for one, with a few statements for all of them.
 *
 * @param mailedBefore how many sellers' emails the caller has enqueued before
 * @param mailed whether the seller is told about a submission. Those that were paid together need one email.
 */
export async function completeConfirmed(
  tx: Transaction,
  cards: readonly LockedCard[],
  staff: Staff,
  { mailedBefore, mailed }: { mailedBefore: number; mailed: (card: LockedCard) => boolean },
): Promise<void> {
  const to = 'completed' as const
  const moves = await Promise.all(
    cards.map(async (card) => ({ card, move: await allowedMove(tx, card, 'staff', { to }) })),
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
      byKind: staff.kind,
      byId: staff.id,
      at: card.lockedAt,
    })),
  )
  await enterStock(
    tx,
    cards.map(({ id, sellerId, brand, sellingPrice }) => ({ id, sellerId, brand, cost: sellingPrice })),
  )
  await addTrades(tx, cards, staff.id)
  await record(
    tx,
    ...moves.map(({ card, move }) => ({
      actor: staff,
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

/** Emails and pushes about the completed submissions. */
async function tellSellers(
  tx: Transaction,
  cards: readonly LockedCard[],
  mailedBefore: number,
): Promise<void> {
  const receipts = await sendReceiptsFirst(tx, cards)
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
    news.map(({ move, afterSeconds }) => ({ key: mailKey(move), payload: move, afterSeconds })),
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
