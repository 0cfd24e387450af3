import { and, asc, eq, isNotNull, notInArray, sql } from 'drizzle-orm'
import { MAX_CENTS, toDollars } from '#domain/money.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { giftCards, payouts } from '#server/platform/database/schema.ts'
import { listedColumns } from '#server/platform/mail/letter.ts'

/**
 * An entry is one payment for several payouts: of one seller, to the same account of the same holder. It has the number of its first
 * payout. All of them always have the same outcome.
 */

/** Whether a payout is the first of its entry, or leaves alone. For queries of payouts. */
export const leadsPayment = sql<boolean>`(payouts.entry_number is null or payouts.entry_number = payouts.number)`

/** What payouts to one account have in common, as columns. A payout without the index of its account is alone. */
const accountOf = (payout: string, card: string) =>
  sql.raw(`case when ${card}.payment_account_index is null then ${payout}.id end, ${payout}.seller_id, ${payout}.payment_type,
    ${card}.payment_account_index, ${card}.payment_account_name, ${card}.payment_account_type`)
const account = accountOf('payouts', 'gift_cards')

/** The entries that a freeze would form, and the payouts that would leave alone. For queries of payout_batches. */
export const countEntries = sql`(
  select count(distinct (${account}))
  from payouts join gift_cards on gift_cards.id = gift_card_id where payouts.batch_id = payout_batches.id
)`

/**
 * The first payout to each account in a batch whose file was sent. One email or push is about all payouts to the account. Empty for a
 * worksheet, whose payouts are sent one by one later. For queries from payouts.
 */
export const firstToEachAccount = (batchId: string) => sql`(
  select distinct on (${account}) payouts.id, payouts.seller_id, batch_position
  from payouts join payout_batches on payout_batches.id = batch_id join gift_cards on gift_cards.id = gift_card_id
  where batch_id = ${batchId} and payouts.state = 'exported' and file_kind <> 'worksheet'
  order by ${account}, batch_position
) as payouts`

/** The payouts of the same batch to the same account that did not come back, with their cards, in the order of the batch. */
export async function listSentTogether(db: Executor, payoutId: string) {
  return await db
    .select({ ...paidColumns, payoutId: payouts.id, entryNumber: payouts.entryNumber })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(sql`payouts as same`, sql`same.id = ${payoutId} and same.batch_id = payouts.batch_id`)
    .innerJoin(sql`gift_cards as same_card`, sql`same_card.id = same.gift_card_id`)
    .where(
      and(
        sql`(${account}) is not distinct from (${accountOf('same', 'same_card')})`,
        notInArray(payouts.state, ['returned', 'void']),
      ),
    )
    .orderBy(asc(payouts.batchPosition))
}

/** Forms the entries of a locked batch. Throws `Refusal` if one is larger than any file can send. */
export async function formEntries(tx: Transaction, batchId: string): Promise<void> {
  const { rows } = await tx.execute<{ total: string }>(sql`
    update payouts set entry_number = entry.number, entry_count = entry.count, entry_total = entry.total
    from (
      select payouts.id, min(number) over same as number, count(*) over same as count, sum(amount) over same as total
      from payouts join gift_cards on gift_cards.id = gift_card_id
      where batch_id = ${batchId} and payment_account_index is not null
      window same as (partition by ${account})
    ) as entry
    where entry.id = payouts.id and entry.count > 1
    returning payouts.entry_total::text as total`)
  const largest = Math.max(0, ...rows.map(({ total }) => Number(total)))
  if (largest > MAX_CENTS) {
    const params = { amount: toDollars(largest), maximum: toDollars(MAX_CENTS) }
    throw new Refusal('payout_not_batchable', 'refusals.entry_too_large', { params })
  }
}

/** A card and what is paid for it, in cents. */
const paidColumns = { ...listedColumns, amount: payouts.amount, deducted: payouts.deducted }

/** The cards that an entry pays, in the order of their payouts. */
export async function listEntryCards(db: Executor, entryNumber: number) {
  return await db
    .select(paidColumns)
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .where(eq(payouts.entryNumber, entryNumber))
    .orderBy(asc(payouts.number))
}

/** The columns of a payout that leaves alone. */
export const alone = { entryNumber: null, entryCount: null, entryTotal: null }

/** Dissolves the entries of a locked batch, because its contents change. */
export async function dissolveEntries(tx: Transaction, batchId: string): Promise<void> {
  await tx
    .update(payouts)
    .set(alone)
    .where(and(eq(payouts.batchId, batchId), isNotNull(payouts.entryNumber)))
}
