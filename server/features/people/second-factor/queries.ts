import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { recoveryCodes, secondFactors } from '#server/platform/database/schema.ts'

export type FactorRow = typeof secondFactors.$inferSelect

const of = (id: string) => eq(secondFactors.administratorId, id)

/** Locked: of two who send the same code at once, one has it. */
export async function lockFactor(tx: Transaction, administratorId: string): Promise<FactorRow | undefined> {
  const [row] = await tx.select().from(secondFactors).where(of(administratorId)).for('update')
  return row
}

export async function isOn(db: Executor, administratorId: string): Promise<boolean> {
  return (await db.$count(secondFactors, and(of(administratorId), isNotNull(secondFactors.confirmedAt)))) > 0
}

/** Keeps a new secret in place of one that was never confirmed. @returns false when there is a confirmed one */
export async function putUnconfirmed(
  tx: Transaction,
  row: Pick<FactorRow, 'administratorId' | 'dataKey' | 'secret'>,
): Promise<boolean> {
  const rows = await tx
    .insert(secondFactors)
    .values(row)
    .onConflictDoUpdate({
      target: secondFactors.administratorId,
      set: { ...row, lastStep: 0, failures: 0 },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ id: secondFactors.administratorId })
  return rows.length > 0
}

export async function confirmFactor(tx: Transaction, administratorId: string): Promise<void> {
  await tx.update(secondFactors).set({ confirmedAt: sql`now()` }).where(of(administratorId))
}

export async function noteSuccess(tx: Transaction, administratorId: string, lastStep: number): Promise<void> {
  await tx.update(secondFactors).set({ lastStep, failures: 0 }).where(of(administratorId))
}

export async function noteFailure(tx: Transaction, administratorId: string, failures: number): Promise<void> {
  await tx.update(secondFactors).set({ failures, failedAt: sql`now()` }).where(of(administratorId))
}

/** @returns whether there was one */
export async function deleteFactor(tx: Transaction, administratorId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.administratorId, administratorId))
  const rows = await tx
    .delete(secondFactors)
    .where(of(administratorId))
    .returning({ id: secondFactors.administratorId })
  return rows.length > 0
}

export async function insertRecoveryCodes(
  tx: Transaction,
  administratorId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ administratorId, hash })))
}

/** @returns whether it was unused until now */
export async function useRecoveryCode(
  tx: Transaction,
  administratorId: string,
  hash: Buffer,
): Promise<boolean> {
  const rows = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.administratorId, administratorId),
        eq(recoveryCodes.hash, hash),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ hash: recoveryCodes.hash })
  return rows.length > 0
}

export async function countRecoveryCodes(db: Executor, administratorId: string): Promise<number> {
  return await db.$count(
    recoveryCodes,
    and(eq(recoveryCodes.administratorId, administratorId), isNull(recoveryCodes.usedAt)),
  )
}
