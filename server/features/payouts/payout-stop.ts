import { eq, sql } from 'drizzle-orm'
import { type AuditDetails, record } from '#server/features/audit/actions.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { installation } from '#server/platform/database/schema.ts'
import { publish } from '#server/platform/live/publish.ts'

/**
 * After a restore, what was sent since the backup is due again. So payouts stop until an operator has recorded them, and new
 * payouts get numbers that cannot have been used since the backup.
 */

/**
 * Numbers that are left out: more than a shop sends between a backup and its restore. Trace numbers start again after ten
 * million payouts, so a larger jump would reuse them sooner.
 */
const SKIPPED = { payouts: 1_000_000, payout_batches: 10_000 } as const

const isHere = eq(installation.single, true)

/**
 * Stops them, and leaves out numbers.
 *
 * @param backupMadeAt undefined if it is not known
 */
export async function stopPayouts(tx: Transaction, backupMadeAt?: Date): Promise<void> {
  const { rowCount } = await tx
    .update(installation)
    .set({ payoutsStoppedAt: sql`now()`, backupMadeAt: backupMadeAt ?? null })
    .where(isHere)
  // The server makes the row at its first start. Without it nothing would stop, and nobody would notice.
  if (rowCount === 0) throw new Error('Payouts cannot be stopped in a database that no server has used')
  for (const [table, skipped] of Object.entries(SKIPPED)) {
    await tx.execute(sql`
      select setval(sequence, nextval(sequence) + ${skipped}::bigint)
      from (select pg_get_serial_sequence(${table}, 'number')::regclass as sequence) as found`)
  }
  await recordAndTell(tx, 'payouts.stopped', backupMadeAt ? { backupMadeAt: backupMadeAt.toISOString() } : {})
}

/** @returns false if they were not stopped */
export async function resumePayouts(tx: Transaction): Promise<boolean> {
  const [stop] = await tx.select().from(installation).where(isHere).for('update')
  if (!stop?.payoutsStoppedAt) return false
  await tx.update(installation).set({ payoutsStoppedAt: null, backupMadeAt: null }).where(isHere)
  await recordAndTell(tx, 'payouts.resumed', { by: 'command line' })
  return true
}

async function recordAndTell(
  tx: Transaction,
  action: 'payouts.stopped' | 'payouts.resumed',
  details: AuditDetails,
): Promise<void> {
  await record(tx, { actor: { kind: 'system' }, action, subject: { kind: 'payouts', id: 'all' }, details })
  await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
}

/** Since when payouts wait, and the time of the restored backup if it is known. Undefined if they don't wait. */
export async function findPayoutStop(
  db: Executor,
): Promise<{ since: Date; backupMadeAt: Date | null } | undefined> {
  const [found] = await db.select().from(installation).where(isHere)
  return found?.payoutsStoppedAt
    ? { since: found.payoutsStoppedAt, backupMadeAt: found.backupMadeAt }
    : undefined
}
