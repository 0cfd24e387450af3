import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BatchAnswer } from '#contract/payouts.ts'
import { maskCardLike } from '#domain/card-number.ts'
import { batchMoves, mayMoveBatch } from '#domain/payout.ts'
import { mayAbandon } from '#domain/payout-provider.ts'
import type { Context } from '#server/context.ts'
import { type Batch, lockBatch, replacePayouts } from '#server/features/books/payouts.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { illegalMove, needsSecondPerson, readBatch, recordAndTell, sizeOf, updateBatch } from './batches.ts'
import { requireAccount } from './provider/enter-id.ts'

/**
 * The bank or service rejected the whole file of a batch, or the provider does not have a batch whose answer never came: one person
 * reports it, and another confirms it. Sellers are not told.
 */

export async function reportRejection(
  context: Context,
  staff: Staff,
  id: string,
  reason: string,
): Promise<BatchAnswer> {
  return transaction(context.db, async (tx) => {
    const batch = await lockRejectable(tx, context, id)
    if (batch.rejectionReportedBy) throw illegal('rejection_reported')
    const isSettled = and(eq(payouts.batchId, id), inArray(payouts.state, ['paid', 'returned']))
    if ((await tx.$count(payouts, isSettled)) > 0) throw illegal('file_accepted')
    await updateBatch(tx, id, {
      rejectionReportedBy: staff.id,
      rejectionReportedAt: sql`now()`,
      rejectionReason: maskCardLike(reason),
    })
    // Leaves out the reason: it may quote an account, which could never be erased from the audit log.
    await recordAndTell(tx, staff, id, 'payout_batch.rejection_reported', detailsOf(batch))
    return readBatch({ ...context, db: tx }, id)
  })
}

/** Needs another person than the one who reported it, if there is one. The payouts are due again under new numbers. */
export async function confirmRejection(context: Context, staff: Staff, id: string): Promise<BatchAnswer> {
  return transaction(context.db, async (tx) => {
    await lockSubmissions(tx, id)
    const batch = await lockRejectable(tx, context, id)
    if (!batch.rejectionReportedBy) throw illegal('rejection_not_reported')
    const alone = batch.rejectionReportedBy === staff.id
    if (alone && (await needsSecondPerson(tx, context, staff))) {
      throw new Refusal('second_person_needed', 'refusals.second_person_for_rejection')
    }
    const move = moveOf(batch)
    if (!(await replacePayouts(tx, batch, move))) throw illegal('file_accepted')
    await updateBatch(tx, id, {
      state: batchMoves[move].to,
      rejectedBy: staff.id,
      rejectedAt: sql`now()`,
      ...{ providerProblem: null, providerDetail: null, providerNextAt: null },
    })
    const details = { ...detailsOf(batch), ...(alone && { alone: true }) }
    await recordAndTell(tx, staff, id, 'payout_batch.rejected', details)
    return readBatch({ ...context, db: tx }, id)
  })
}

/** The report was wrong: the batch is as before. */
export async function withdrawRejection(context: Context, staff: Staff, id: string): Promise<BatchAnswer> {
  return transaction(context.db, async (tx) => {
    const batch = await lockRejectable(tx, context, id)
    if (!batch.rejectionReportedBy) throw illegal('rejection_not_reported')
    await updateBatch(tx, id, {
      rejectionReportedBy: null,
      rejectionReportedAt: null,
      rejectionReason: null,
    })
    await recordAndTell(tx, staff, id, 'payout_batch.rejection_withdrawn', detailsOf(batch))
    return readBatch({ ...context, db: tx }, id)
  })
}

/** Submissions are locked before their batch, so that nobody moves one meanwhile. */
async function lockSubmissions(tx: Transaction, batchId: string): Promise<void> {
  await tx.execute(sql`
    select count(*) from (
      select from gift_cards where id in (select gift_card_id from payouts where batch_id = ${batchId})
      order by id for key share
    ) as locked`)
}

const moveOf = ({ provider }: Batch) => (provider ? 'abandon' : 'reject')

const detailsOf = (batch: Batch) => ({
  ...sizeOf(batch),
  ...(batch.provider && { provider: batch.provider }),
})

/**
 * Locks a batch. Refuses one that was not exported or was paid, and a worksheet, which goes to no bank. Refuses a batch of a provider
 * unless its request is too old to be repeated.
 */
async function lockRejectable(tx: Transaction, { payoutProvider }: Context, id: string): Promise<Batch> {
  const batch = await lockBatch(tx, id)
  if (!batch) throw notFound()
  if (!mayMoveBatch(batch.state, moveOf(batch))) throw illegalMove(batch)
  if (batch.provider) {
    if (!mayAbandon(batch)) throw illegal('not_too_old')
    requireAccount(payoutProvider, batch)
    return batch
  }
  if (batch.fileKind === 'worksheet') throw illegal('worksheet_not_rejected')
  if (batch.confirmedAt) throw illegal('file_accepted')
  return batch
}

function illegal(
  why:
    | 'file_accepted'
    | 'not_too_old'
    | 'rejection_not_reported'
    | 'rejection_reported'
    | 'worksheet_not_rejected',
): Refusal {
  return new Refusal('illegal_batch_move', `refusals.${why}`)
}
