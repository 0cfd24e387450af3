import { sql } from 'drizzle-orm'
import { mayBePaid } from '#domain/payout-provider.ts'
import type { Batch } from '#server/features/books/payouts.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import type { ProviderBatch } from '#server/platform/payout-provider/payout-provider.ts'
import { OUR_ID } from '../returns/paypal-results.ts'

/**
 * An abandoned batch that the provider has after all. Each of its void payouts that the provider pays is marked like a payment by hand
 * that was reverted, so the payout that replaced it cannot leave until a payer has recorded what happened.
 */

/** For how many days the operator gets the report. PayPal reverses nothing later. */
const TOLD_DAYS = 60

/** @returns how many payouts of the locked batch were paid, or still can be */
export async function markPaidLate(
  tx: Transaction,
  { id }: Batch,
  { state, items }: ProviderBatch,
): Promise<number> {
  const isOver = state === 'denied' || state === 'canceled'
  const known = items.flatMap(({ senderId, state, transactionId }) => {
    const [, number] = OUR_ID.exec(senderId) ?? []
    return number ? [{ number, isPaid: mayBePaid(state), reference: transactionId.slice(0, 40) }] : []
  })
  // In the order in which others lock payouts.
  await tx.execute(sql`select from payouts where batch_id = ${id} order by number for update`)
  const { rows } = await tx.execute<{ paid: number }>(sql`
    with item as (
      select number, "isPaid" as is_paid, nullif(reference, '') as reference
      from json_to_recordset(${JSON.stringify(known)}::json) as item (number bigint, "isPaid" boolean, reference text)
    ), marked as (
      update payouts set
        reverted_sent_at = case when not is_paid then null when is_new then now() else reverted_sent_at end,
        reverted_reference = case when is_paid then item_reference end,
        not_sent_at = case when is_paid and not is_new then not_sent_at end
      from (
        select payouts.id, coalesce(item.is_paid, ${!isOver}) as is_paid, item.reference as item_reference,
          reverted_sent_at is null or reverted_sent_at < rejected_at as is_new
        from payouts join payout_batches on payout_batches.id = batch_id
        left join item on item.number = coalesce(entry_number, payouts.number)
        where batch_id = ${id}
      ) as found where found.id = payouts.id returning is_paid
    )
    select count(*) filter (where is_paid)::int as paid from marked`)
  return onlyRow(rows).paid
}

/** The marked payouts of abandoned batches, each with the payouts that came after it. */
const marked = sql`payouts paid join payouts newer on newer.gift_card_id = paid.gift_card_id and newer.number > paid.number
  and newer.state <> 'void' where paid.batch_id = payout_batches.id and payout_batches.state = 'rejected'
  and payout_batches.provider_batch_id is not null and paid.not_sent_at is null`

/** A payment by hand that was recorded after the provider's is the provider's. */
const isAnotherPayment = sql`not (newer.by_hand and newer.sent_at >= paid.reverted_sent_at)`

/** The submissions of an abandoned batch that were paid twice, for queries of payout_batches. */
export const paidTwice = sql<string[]>`(
  select coalesce(json_agg(distinct paid.gift_card_id), '[]') from ${marked}
    and paid.reverted_sent_at is not null and newer.state in ('exported', 'paid') and ${isAnotherPayment}
)`

/** How many abandoned batches the provider has paid, and somebody has to look at a payout. */
export async function countPaidLate(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from payout_batches where state = 'rejected' and provider_batch_id is not null and exists (
      select from ${marked} and paid.reverted_sent_at > now() - make_interval(days => ${TOLD_DAYS}) and ${isAnotherPayment}
    )`)
  return onlyRow(rows).count
}
