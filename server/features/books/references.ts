import { sql } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { refusedFields } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'

/** A confirmation number as a client sends it. */
export interface EnteredReference {
  readonly reference?: string | undefined
  /** Whether to refuse one that the payout of another submission has. */
  readonly checkReference?: boolean | undefined
}

/**
 * Refuses a confirmation number that the payout of another submission has: people paste the number of the payment before. Payouts of
 * one payment or one file may share a number, but each line of a worksheet is a payment.
 */
export async function requireUnusedReference(
  tx: Transaction,
  giftCardId: string,
  { reference, checkReference }: EnteredReference,
): Promise<void> {
  if (!reference || !checkReference) return
  const { rows } = await tx.execute<{ number: string; username: string; amount: string }>(sql`
    select used.number, username, coalesce(used.entry_total, used.amount) as amount
    from payouts used join users on users.id = used.seller_id
    where lower(used.reference) = lower(${reference}) and used.gift_card_id <> ${giftCardId} and not exists (
      select from payouts own left join payout_batches on payout_batches.id = own.batch_id
      where own.gift_card_id = ${giftCardId} and (own.entry_number = used.entry_number
        or (own.batch_id = used.batch_id and payout_batches.file_kind <> 'worksheet'))
    )
    order by used.number desc limit 1`)
  const [used] = rows
  if (!used) return
  const params = {
    number: String(used.number),
    username: used.username,
    amount: toDollars(Number(used.amount)),
  }
  throw refusedFields('reference_used', [{ path: 'reference', code: 'reference_used', params }])
}
