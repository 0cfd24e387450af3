import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { BatchAnswer } from '#contract/payouts.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { lockBatch } from '#server/features/books/payouts.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { administrators, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue, type JobPayloads } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { illegalMove, readBatch, requireFile, updateBatch } from './batches.ts'
import { recordConfirmed } from './outcome.ts'

/** Payouts confirmed in one transaction, which holds up the audit log for about half a second. */
const CHUNK = 250
/** Milliseconds that one job works before it enqueues the next, so that other jobs are not delayed and a shutdown is quick. */
const MAX_MS = 5_000

/** Starts to record that every payout of an exported batch was paid. That completes their submissions, one after another. */
export async function confirmBatch(
  context: Context,
  staff: Staff,
  id: string,
  reference: string | undefined,
): Promise<BatchAnswer> {
  return transaction(context.db, async (tx) => {
    const batch = await lockBatch(tx, id)
    if (!batch) throw notFound()
    if (batch.state !== 'exported') throw illegalMove(batch)
    requireFile(batch)
    // One confirmation number cannot be that of every payout.
    if (batch.fileKind === 'worksheet') throw new Refusal('illegal_batch_move', 'refusals.paid_one_by_one')
    if (batch.rejectionReportedBy) throw new Refusal('illegal_batch_move', 'refusals.rejection_reported')
    await updateBatch(tx, id, { confirmedAt: sql`coalesce(confirmed_at, now())` })
    await enqueueConfirm(tx, { batchId: id, administratorId: staff.id, reference, after: 0 })
    const subject = { kind: 'payout_batch', id } as const
    await record(tx, { actor: staff, action: 'payout_batch.paid', subject, details: { count: batch.count } })
    return readBatch({ ...context, db: tx }, id)
  })
}

type Progress = JobPayloads['confirmBatch']

/** Has the payouts of a batch recorded as paid, beginning after the position. */
export function enqueueConfirm(tx: Transaction, progress: Progress): Promise<void> {
  return enqueue(tx, 'confirmBatch', `${progress.batchId}:${uuidv7()}`, progress)
}

/** The job that confirms a batch. Only takes payouts that are still exported, so that it can run again after a crash. */
export async function confirmPayouts(context: Context, progress: Progress): Promise<void> {
  const staff = await findStaff(context, progress.administratorId)
  const until = performance.now() + MAX_MS
  for (let { after } = progress; ; ) {
    const last = await confirmChunk(context, staff, { ...progress, after })
    if (last === undefined) return
    after = last
    if (performance.now() > until) {
      await transaction(context.db, (tx) => enqueueConfirm(tx, { ...progress, after }))
      return
    }
  }
}

/** @returns the position of the last payout; undefined if no payout was left */
async function confirmChunk(
  context: Context,
  staff: Staff,
  { batchId, reference, after }: Progress,
): Promise<number | undefined> {
  return transaction(context.db, async (tx) => {
    const chunk = await tx
      .select({ id: payouts.id, position: sql<number>`${payouts.batchPosition}` })
      .from(payouts)
      .where(
        and(eq(payouts.batchId, batchId), eq(payouts.state, 'exported'), gt(payouts.batchPosition, after)),
      )
      .orderBy(asc(payouts.batchPosition))
      .limit(CHUNK)
    await recordConfirmed(
      tx,
      staff,
      chunk.map(({ id }) => ({ id, reference })),
      after,
    )
    if (chunk.length > 0) await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
    return chunk.at(-1)?.position
  })
}

/** The person who confirmed or released a batch, even if they were disabled since. */
export async function findStaff({ db }: Pick<Context, 'db'>, id: string): Promise<Staff> {
  const [found] = await db
    .select({ id: administrators.id, username: administrators.username, role: administrators.role })
    .from(administrators)
    .where(eq(administrators.id, id))
  if (!found) throw notFound()
  return { kind: 'staff', ...found, needsSecondFactor: false, sid: '' }
}
