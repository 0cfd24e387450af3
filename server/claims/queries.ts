import { and, eq, gt, isNull, notExists, sql } from 'drizzle-orm'
import { databaseTime } from '#server/database/clock.ts'
import type { Executor, Transaction } from '#server/database/pool.ts'
import { administrators, claims, giftCards, sessions } from '#server/database/schema.ts'

interface NewClaim {
  readonly giftCardId: string
  readonly administratorId: string
  readonly takeOver: boolean
  readonly seconds: number
}

export type ClaimRow = typeof claims.$inferSelect

/** Keeps a submission from being cleared until the transaction ends. @returns whether there is one */
export async function holdCard(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: giftCards.id })
    .from(giftCards)
    .where(and(eq(giftCards.id, id), isNull(giftCards.clearedAt)))
    .for('key share')
  return rows.length > 0
}

const lapsed = sql`${claims.until} <= now()`

/**
 * Takes or prolongs a claim in one statement, so that of two who open a submission at once one has it.
 * @returns undefined when somebody else has it
 */
export async function upsertClaim(
  tx: Transaction,
  { giftCardId, administratorId, takeOver, seconds }: NewClaim,
): Promise<ClaimRow | undefined> {
  const until = sql`now() + make_interval(secs => ${seconds})`
  const own = eq(claims.administratorId, administratorId)
  const [row] = await tx
    .insert(claims)
    .values({ giftCardId, administratorId, since: sql`now()`, until })
    .onConflictDoUpdate({
      target: claims.giftCardId,
      set: {
        administratorId,
        since: sql`case when ${own} and not ${lapsed} then ${claims.since} else now() end`,
        until,
      },
      setWhere: sql`${takeOver} or ${own} or ${lapsed}`,
    })
    .returning()
  return row
}

/** Who has a submission now, with the name, and when that was read. */
export async function findClaim(db: Executor, giftCardId: string) {
  const [row] = await db
    .select({ claim: claims, username: administrators.username, readAt: databaseTime })
    .from(claims)
    .innerJoin(administrators, eq(administrators.id, claims.administratorId))
    .where(and(eq(claims.giftCardId, giftCardId), sql`${claims.until} > now()`))
  return row
}

/** @returns what was claimed by this administrator, who has no session any more; nothing while there is one */
export async function deleteClaimsOfAbsent(tx: Transaction, administratorId: string): Promise<string[]> {
  const present = tx
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.administratorId, administratorId), gt(sessions.expire, sql`now()`)))
  const rows = await tx
    .delete(claims)
    .where(and(eq(claims.administratorId, administratorId), sql`not ${lapsed}`, notExists(present)))
    .returning({ giftCardId: claims.giftCardId })
  return rows.map(({ giftCardId }) => giftCardId)
}

/** @returns whether it was this administrator's */
export async function deleteClaim(
  tx: Transaction,
  giftCardId: string,
  administratorId: string,
): Promise<boolean> {
  const rows = await tx
    .delete(claims)
    .where(and(eq(claims.giftCardId, giftCardId), eq(claims.administratorId, administratorId)))
    .returning({ giftCardId: claims.giftCardId })
  return rows.length > 0
}
