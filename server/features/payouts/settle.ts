import { and, eq, isNull, sql } from 'drizzle-orm'
import type { BatchAnswer, Settlement } from '#contract/payouts.ts'
import { maskCardLike } from '#domain/card-number.ts'
import { type Cents, toDecimal } from '#domain/money.ts'
import { batchMoves, mayMoveBatch } from '#domain/payout.ts'
import { dayIn } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { post } from '#server/features/books/ledger.ts'
import { type Batch, lockBatch } from '#server/features/books/payouts.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { illegalMove, readBatch, recordAndTell, requireFile, sizeOf, updateBatch } from './batches.ts'
import { enqueueConfirm } from './confirm.ts'

/** Records that a payer found an exported batch on the statement of the bank or service. Its payouts can still come back. */
export async function settleBatch(
  context: Context,
  staff: Staff,
  id: string,
  { reference, on, fee = 0 }: Settlement,
): Promise<BatchAnswer> {
  const { timeZone } = context.site
  return transaction(context.db, async (tx) => {
    const batch = await lockBatch(tx, id)
    if (!batch) throw notFound()
    if (!mayMoveBatch(batch.state, 'settle')) throw illegalMove(batch)
    const today = dayIn(timeZone, new Date((await readClock(tx))()))
    const bookedOn = on ?? today
    if (bookedOn > today) throw invalid([{ path: 'on', code: 'settled_on_future' }])
    if (bookedOn < sentOn(batch, timeZone)) throw invalid([{ path: 'on', code: 'settled_before_export' }])
    const shown = maskCardLike(reference)
    await settle(tx, staff, batch, { on: bookedOn, reference: shown, confirmation: shown, fee })
    await tx
      .update(payouts)
      .set({ reference: shown })
      .where(and(eq(payouts.batchId, id), eq(payouts.state, 'paid'), isNull(payouts.reference)))
    const [paymentType = 'bank_transfer'] = batch.paymentTypes
    await post(tx, 'fee', { amount: fee, paymentType }, { batchId: id, on: bookedOn })
    return readBatch({ ...context, db: tx }, id)
  })
}

/** The day on which an exported batch left, like 2026-11-24. */
export function sentOn(
  { exportedAt, createdAt }: Pick<Batch, 'exportedAt' | 'createdAt'>,
  timeZone: string,
): string {
  return dayIn(timeZone, exportedAt ?? createdAt)
}

interface Settled {
  /** The day of the statement. */
  readonly on: string
  /** Of the debit on the statement. */
  readonly reference: string | undefined
  /** Confirmation number for the sellers. The reference of a debit for many payments is not on their statements. */
  readonly confirmation?: string
  /** The fee of the bank or service. The caller posts it to the ledger. */
  readonly fee?: Cents
}

/**
 * Ends a locked batch that was exported, and starts to record its payouts as paid. Throws `Refusal` while a rejection is reported,
 * and for a worksheet with payouts that nobody has paid yet.
 */
export async function settle(
  tx: Transaction,
  staff: Staff,
  batch: Batch,
  { on, reference, confirmation, fee = 0 }: Settled,
): Promise<void> {
  const { id } = batch
  if (!mayMoveBatch(batch.state, 'settle')) throw illegalMove(batch)
  requireFile(batch)
  if (batch.rejectionReportedBy) throw illegal('rejection_reported')
  const open = await tx.$count(payouts, and(eq(payouts.batchId, id), eq(payouts.state, 'exported')))
  if (open > 0 && batch.fileKind === 'worksheet') throw illegal('worksheet_unpaid', { count: open })
  await updateBatch(tx, id, {
    state: batchMoves.settle.to,
    settledBy: staff.id,
    settledAt: sql`now()`,
    settledOn: on,
    settlementReference: reference ?? null,
    settlementFee: fee,
    ...(open > 0 && { confirmedAt: sql`coalesce(confirmed_at, now())` }),
  })
  if (open > 0) {
    await enqueueConfirm(tx, { batchId: id, administratorId: staff.id, reference: confirmation, after: 0 })
  }
  const details = { ...sizeOf(batch), on, ...(fee > 0 && { fee: toDecimal(fee) }) }
  await recordAndTell(tx, staff, id, 'payout_batch.settled', details)
}

function illegal(why: 'rejection_reported' | 'worksheet_unpaid', params?: { count: number }): Refusal {
  return new Refusal('illegal_batch_move', `refusals.${why}`, params && { params })
}
