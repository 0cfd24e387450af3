import { eq, sql } from 'drizzle-orm'
import type { BatchAnswer } from '#contract/payouts.ts'
import { batchMoves, type FileKind, mayMoveBatch, sentBatchStates } from '#domain/payout.ts'
import type { Context } from '#server/context.ts'
import { record, recordReveal } from '#server/features/audit/actions.ts'
import { type Batch, exportPayouts, lockBatch } from '#server/features/books/payouts.ts'
import { requireNotStopped } from '#server/features/books/stop.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { payoutBatches } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publishMany } from '#server/platform/live/publish.ts'
import { openFile } from './batch-file.ts'
import { lockSellers, requireMayLeave } from './batchable.ts'
import { illegalMove, readBatch, requireFile } from './batches.ts'
import { expectedArrival } from './files/compose.ts'
import { enqueuePayoutMails } from './payout-mail.ts'
import { startWaiting } from './prenotes.ts'

/** A released batch leaves: first it is marked as exported, then anybody who may can download its file. */

/**
 * Marks a released batch and its payouts as exported, and tells the sellers. Changes nothing if that was done before. Throws `Refusal`
 * if one of them must no longer be paid: a released batch does not change, so it has to be dissolved.
 */
export async function exportBatch(context: Context, staff: Staff, id: string): Promise<BatchAnswer> {
  const { db, keys, site } = context
  return transaction(db, async (tx) => {
    const batch = await lockBatch(tx, id)
    if (!batch) throw notFound()
    requireFile(batch)
    if (sentBatchStates.includes(batch.state)) return readBatch({ ...context, db: tx }, id)
    if (!mayMoveBatch(batch.state, 'export')) throw illegalMove(batch)
    await requireNotStopped(tx)
    await lockSellers(tx, id)
    await requireMayLeave(tx, site, id)
    // A file that nobody can open cannot be sent.
    await openFile(tx, keys, batch)
    await markExported(tx, site, batch, staff.id)
    await record(tx, { ...aboutFile(staff, batch), action: 'payout_batch.marked_exported' })
    return readBatch({ ...context, db: tx }, id)
  })
}

interface BatchFile {
  readonly bytes: Buffer
  readonly name: string
  readonly kind: FileKind
}

/**
 * The file of an exported batch. Each download is recorded. Refuses before the export: a file that leaves unmarked could be sent
 * again after its batch was dissolved.
 */
export async function downloadFile({ db, keys }: Context, staff: Staff, id: string): Promise<BatchFile> {
  return transaction(db, async (tx) => {
    const batch = await lockBatch(tx, id)
    if (!batch) throw notFound()
    requireFile(batch)
    if (mayMoveBatch(batch.state, 'export')) {
      throw new Refusal('illegal_batch_move', 'refusals.batch_not_exported')
    }
    if (!sentBatchStates.includes(batch.state)) throw illegalMove(batch)
    const bytes = await openFile(tx, keys, batch)
    await recordReveal(tx, { ...aboutFile(staff, batch), action: 'payout_batch.exported' })
    return { bytes, name: batch.fileName ?? '', kind: batch.fileKind }
  })
}

/** @param by null if no person did it */
export async function markExported(
  tx: Transaction,
  { payouts: settings }: Context['site'],
  { id, fileKind, sameDay }: Batch,
  by: string | null,
): Promise<void> {
  const now = new Date((await readClock(tx))())
  const exported = await exportPayouts(tx, id)
  const [{ expectedOn } = { expectedOn: null }] = await tx
    .update(payoutBatches)
    .set({
      state: batchMoves.export.to,
      exportedBy: by,
      exportedAt: sql`now()`,
      // A file that is sent later than it was made settles later than its effective date.
      expectedOn: sql`greatest(expected_on, ${expectedArrival(fileKind, now, settings, sameDay)}::date)`,
    })
    .where(eq(payoutBatches.id, id))
    .returning({ expectedOn: payoutBatches.expectedOn })
  if (expectedOn) await startWaiting(tx, id, expectedOn)
  await enqueuePayoutMails(tx, id)
  const type = 'PAYOUT_UPDATE' as const
  await publishMany(tx, [
    { to: 'staff', message: { type } },
    ...exported.map((sent) => ({ to: { userId: sent.userId }, message: { type, ...sent } })),
  ])
}

const aboutFile = (actor: Staff, { id, count, fileSha256 }: Batch) => ({
  actor,
  subject: { kind: 'payout_batch', id } as const,
  details: { count, sha256: fileSha256 },
})
