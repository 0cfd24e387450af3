import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { administrators, secondFactors } from '#server/platform/database/schema.ts'

/** By name, with whether a code is asked for at sign-in. */
export async function listAdministrators(db: Executor) {
  return await db
    .select({
      id: administrators.id,
      username: administrators.username,
      createdAt: administrators.createdAt,
      disabledAt: administrators.disabledAt,
      secondFactor: sql<boolean>`${secondFactors.confirmedAt} is not null`,
    })
    .from(administrators)
    .leftJoin(secondFactors, eq(secondFactors.administratorId, administrators.id))
    .orderBy(asc(sql`lower(${administrators.username})`))
}

export async function lockAdministrator(tx: Transaction, username: string) {
  const [row] = await tx
    .select({
      id: administrators.id,
      username: administrators.username,
      disabledAt: administrators.disabledAt,
    })
    .from(administrators)
    .where(sameText(administrators.username, username))
    .for('update')
  return row
}

export async function insertAdministrator(
  tx: Transaction,
  administrator: { id: string; username: string; passwordHash: string },
): Promise<void> {
  await tx.insert(administrators).values(administrator)
}

/** @returns whether anything changed */
export async function setDisabled(tx: Transaction, id: string, disabled: boolean): Promise<boolean> {
  const before = disabled ? isNull(administrators.disabledAt) : isNotNull(administrators.disabledAt)
  const rows = await tx
    .update(administrators)
    .set({ disabledAt: disabled ? sql`now()` : null })
    .where(and(eq(administrators.id, id), before))
    .returning({ id: administrators.id })
  return rows.length > 0
}

export async function setPassword(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await tx.update(administrators).set({ passwordHash }).where(eq(administrators.id, id))
}

export async function hasAdministrators(db: Executor): Promise<boolean> {
  const rows = await db.select({ id: administrators.id }).from(administrators).limit(1)
  return rows.length > 0
}

/** Several nodes may start at once: the first one wins, the others are told no. */
export async function insertFirstAdministrator(
  tx: Transaction,
  administrator: { id: string; username: string; passwordHash: string },
): Promise<boolean> {
  const inserted = await tx
    .insert(administrators)
    .values(administrator)
    .onConflictDoNothing()
    .returning({ id: administrators.id })
  return inserted.length > 0
}
