import { and, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { BALANCE_WAIT_SECONDS } from '#domain/balance.ts'
import { type HistoryName, UNDO_SECONDS } from '#domain/submission.ts'
import { MAX_SALE_CARDS } from '#domain/submission-form.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, jobs, sales } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue, enqueueLater, enqueueMany, type JobPayloads } from '#server/platform/jobs/jobs.ts'
import { mailKey } from './history.ts'
import type { CardRow } from './queries.ts'

// Cards submitted together, and when their seller gets a receipt. Every card is in exactly one: the receipts of a sale cover
// its positions without gaps, and the row of the sale is locked while a card or a receipt is added.

/** Seconds to wait for the next card of a sale. Later cards get another receipt. */
const RECEIPT_AFTER_SECONDS = 15 * 60

/**
 * Cards of one sale that are approved or rejected within this many seconds share an email. So do cards of one sale or batch that are
 * paid. A later card starts the next email.
 */
export const GATHER_SECONDS = 60

/** Whether several cards that make this move share an email. */
export function isMailedTogether(move: HistoryName): move is 'start' | 'reject' | 'complete' {
  return move === 'start' || move === 'reject' || move === 'complete'
}

/** Whether the email about a card may name others: of its sale, or of its seller in the same batch. For queries of gift_cards. */
const isGathered = sql`(
  (select cards from sales where id = gift_cards.sale_id) > 1
  or exists (
    select from payouts join payouts other on other.seller_id = payouts.seller_id and other.id <> payouts.id
    where payouts.gift_card_id = gift_cards.id and payouts.batch_id is not null and payouts.entry_number is null
      and payouts.state in ('exported', 'paid')
      -- Among the seller's payouts, because a batch has many.
      and other.batch_id is not distinct from payouts.batch_id
  )
)`

/** Seconds until no other move can join the email about the first card, or be taken back. */
const GATHERED_AFTER_SECONDS = GATHER_SECONDS + UNDO_SECONDS

/** Seconds until the email about a card is sent. */
export function mailAfterGathering(cardId: string, otherwise = 0): SQL {
  return sql`(select case when ${isGathered} then ${GATHERED_AFTER_SECONDS}::int else ${otherwise}::int end
    from gift_cards where id = ${cardId})`
}

/** Seconds until the emails about these cards are sent, by card. Without the cards whose emails do not wait. */
export async function findGathered(
  tx: Transaction,
  cardIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(inArray(giftCards.id, [...cardIds]), isGathered))
  return new Map(rows.map(({ id }) => [id, GATHERED_AFTER_SECONDS]))
}

interface SalePlace {
  readonly saleId: string
  /** Counted from 1. */
  readonly position: number
  /** The last position that has a receipt. */
  readonly receipted: number
}

/**
 * Takes the next place in a sale of the seller, which starts with its first card. Throws a refusal at `saleId` if the sale is
 * somebody else's or full.
 */
export async function joinSale(tx: Transaction, seller: Seller, saleId: string): Promise<SalePlace> {
  const [joined] = await tx
    .insert(sales)
    .values({ id: saleId, sellerId: seller.id, cards: 1 })
    .onConflictDoUpdate({
      target: sales.id,
      set: { cards: sql`${sales.cards} + 1` },
      setWhere: sql`${sales.sellerId} = ${seller.id} and ${sales.cards} < ${MAX_SALE_CARDS}`,
    })
    .returning({ position: sales.cards, receipted: sales.receipted })
  if (joined) return { saleId, ...joined }
  const isOwn = (await tx.$count(sales, and(eq(sales.id, saleId), eq(sales.sellerId, seller.id)))) > 0
  const code = isOwn ? 'sale_full' : 'sale_unknown'
  throw invalid([{ path: 'saleId', code, params: { maximum: MAX_SALE_CARDS } }])
}

export function isSaleFull(error: unknown): boolean {
  return error instanceof Refusal && Boolean(error.errors?.some(({ code }) => code === 'sale_full'))
}

/** Emails the receipt of a card. If its balance is asked for, the receipt says what was found. */
export function sendReceipt(tx: Transaction, giftCardId: string, waitsForBalance = false): Promise<void> {
  const payload = { giftCardId, version: 1 }
  const afterSeconds = waitsForBalance ? BALANCE_WAIT_SECONDS : 0
  return enqueueMany(tx, 'statusMail', [{ key: mailKey(payload), payload, afterSeconds }])
}

/** Emails a receipt that waits for a balance now, before any other email about the card. */
export async function sendWaitingReceipt(tx: Transaction, giftCardId: string): Promise<void> {
  await tx
    .update(jobs)
    .set({ runAt: jobs.createdAt })
    .where(
      and(
        eq(jobs.kind, 'statusMail'),
        eq(jobs.key, mailKey({ giftCardId, version: 1 })),
        isNull(jobs.doneAt),
        eq(jobs.attempts, 0),
      ),
    )
}

/**
 * Emails one receipt for this card and all that join the sale before it is sent. Each card postpones it, and the last one
 * sends it, after the balances were found.
 * @param saleCards how many cards the sale will have, if the client sent it
 */
export function sendReceiptLater(
  tx: Transaction,
  { saleId, position, receipted }: SalePlace,
  saleCards: number | undefined,
): Promise<void> {
  const isLast = saleCards !== undefined && position >= saleCards
  return enqueueLater(tx, 'saleReceipt', `${saleId}:${receipted}`, {
    payload: { saleId, after: receipted },
    afterSeconds: isLast ? secondsToBalances(saleId) : RECEIPT_AFTER_SECONDS,
    postpones: true,
  })
}

function secondsToBalances(saleId: string): SQL {
  return sql`case when exists (
    select from balance_requests join gift_cards on gift_cards.id = gift_card_id
    where sale_id = ${saleId} and outcome is null
  ) then ${BALANCE_WAIT_SECONDS}::int else 0 end`
}

/** Emails the receipts of cards in sales now, unless they already have one. @returns the sales whose receipts were sent */
export async function sendReceiptsFirst(
  tx: Transaction,
  cards: readonly Pick<CardRow, 'saleId' | 'salePosition'>[],
): Promise<ReadonlySet<string>> {
  const ofSales = cards.filter(({ saleId }) => saleId !== null)
  if (ofSales.length === 0) return new Set()
  const { rows } = await tx.execute<{ saleId: string; after: number }>(sql`
    select id as "saleId", receipted as after from sales where exists (
      select from unnest(
        ${sql.param(ofSales.map(({ saleId }) => saleId))}::uuid[], ${sql.param(ofSales.map(({ salePosition }) => salePosition))}::int[]
      ) as cards (sale_id, position) where sale_id = sales.id and receipted < position
    ) and id = any(${sql.param(ofSales.map(({ saleId }) => saleId))}::uuid[]) order by id for update`)
  for (const sale of rows) await close(tx, sale)
  return new Set(rows.map(({ saleId }) => saleId))
}

/** Emails a receipt for the cards after position `after`, unless they have one. */
export function closeReceipt(
  { db }: Pick<Context, 'db'>,
  receipt: JobPayloads['saleReceipt'],
): Promise<void> {
  return transaction(db, (tx) => close(tx, receipt))
}

/** Settles which cards a receipt lists, so a repeated email lists the same ones and later cards go into the next. */
async function close(tx: Transaction, { saleId, after }: JobPayloads['saleReceipt']): Promise<void> {
  const [closed] = await tx
    .update(sales)
    .set({ receipted: sql`${sales.cards}` })
    .where(and(eq(sales.id, saleId), eq(sales.receipted, after), gt(sales.cards, after)))
    .returning({ upTo: sales.receipted })
  if (!closed) return
  const { upTo } = closed
  if (upTo > after + 1) {
    return enqueue(tx, 'saleReceiptMail', `${saleId}:${after}`, { saleId, after, upTo })
  }
  const [single] = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(eq(giftCards.saleId, saleId), eq(giftCards.salePosition, upTo)))
  if (single) await sendReceipt(tx, single.id)
}
