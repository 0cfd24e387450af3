import { eq } from 'drizzle-orm'
import { Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { installation } from '#server/platform/database/schema.ts'

/** Throws `payouts_stopped`. Nobody can stop payouts until the transaction ends. */
export async function requireNotStopped(tx: Transaction): Promise<void> {
  if (await isStopped(tx)) throw new Refusal('payouts_stopped', 'refusals.payouts_stopped')
}

/** Whether payouts are stopped, which cannot change until the transaction ends. */
export async function isStopped(tx: Transaction): Promise<boolean> {
  const [found] = await tx
    .select({ stoppedAt: installation.payoutsStoppedAt })
    .from(installation)
    .where(eq(installation.single, true))
    .for('share')
    .prepare('payouts_stopped')
    .execute()
  return Boolean(found?.stoppedAt)
}
