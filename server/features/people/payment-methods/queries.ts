import { and, desc, eq, gte } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { paymentMethods as methods } from '#server/platform/database/schema.ts'

export type MethodRow = typeof methods.$inferSelect

/** The look-up is the permission: only the seller's own. */
const own = (userId: string, id: string) => and(eq(methods.id, id), eq(methods.userId, userId))

/** The seller's, newest first. */
export async function listMethods(db: Executor, userId: string): Promise<MethodRow[]> {
  return db.select().from(methods).where(eq(methods.userId, userId)).orderBy(desc(methods.id))
}

export async function findMethod(db: Executor, userId: string, id: string): Promise<MethodRow | undefined> {
  const [method] = await db.select().from(methods).where(own(userId, id))
  return method
}

export async function countMethods(db: Executor, userId: string): Promise<number> {
  return db.$count(methods, eq(methods.userId, userId))
}

export async function insertMethod(tx: Transaction, method: typeof methods.$inferInsert): Promise<MethodRow> {
  return onlyRow(await tx.insert(methods).values(method).returning())
}

export async function deleteMethod(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<MethodRow | undefined> {
  const [deleted] = await tx.delete(methods).where(own(userId, id)).returning()
  return deleted
}

/** The newest of those that are left becomes the default, unless it is among them. */
export async function deleteMethodsSince(tx: Transaction, userId: string, since: Date): Promise<void> {
  const deleted = await tx
    .delete(methods)
    .where(and(eq(methods.userId, userId), gte(methods.createdAt, since)))
    .returning({ isDefault: methods.isDefault })
  if (deleted.some(({ isDefault }) => isDefault)) await makeNewestDefault(tx, userId)
}

export async function deleteAllMethods(tx: Transaction, userId: string): Promise<boolean> {
  const deleted = await tx.delete(methods).where(eq(methods.userId, userId)).returning({ id: methods.id })
  return deleted.length > 0
}

export async function clearDefault(tx: Transaction, userId: string): Promise<void> {
  await tx
    .update(methods)
    .set({ isDefault: false })
    .where(and(eq(methods.userId, userId), eq(methods.isDefault, true)))
}

/** The newest of those that are left. */
export async function makeNewestDefault(tx: Transaction, userId: string): Promise<void> {
  const [newest] = await listMethods(tx, userId)
  if (newest) await tx.update(methods).set({ isDefault: true }).where(eq(methods.id, newest.id))
}
