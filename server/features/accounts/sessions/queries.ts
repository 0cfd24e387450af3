import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, sessions, users } from '#server/platform/database/schema.ts'

export interface FoundSession {
  readonly id: string
  readonly username: string
  readonly secondsLeft: number
  /** How much longer the session would last if it were extended now. */
  readonly secondsToGain: number
}

/**
 * Prepared statements, because they run with every request of a signed-in user.
 * @param idleSeconds how long an unused session of each kind lasts
 */
export function prepareLookups(db: Database, idleSeconds: { seller: number; staff: number }) {
  const secondsLeft = sql<number>`extract(epoch from ${sessions.expire} - now())::float8`
  const secondsToGain = (idle: number) =>
    sql<number>`extract(epoch from ${extended(idle)} - ${sessions.expire})::float8`
  const isActive = and(eq(sessions.sid, sql.placeholder('sid')), gt(sessions.expire, sql`now()`))
  return {
    seller: db
      .select({
        id: users.id,
        username: users.username,
        locale: users.locale,
        secondsLeft,
        secondsToGain: secondsToGain(idleSeconds.seller),
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(isActive)
      .prepare('find_seller_session'),
    staff: db
      .select({
        id: administrators.id,
        username: administrators.username,
        role: administrators.role,
        secondFactor: sql<boolean>`(${hasSecondFactor} or ${sessions.sess} ? 'trusted')`,
        secondsLeft,
        secondsToGain: secondsToGain(idleSeconds.staff),
      })
      .from(sessions)
      .innerJoin(administrators, eq(administrators.id, sessions.administratorId))
      .where(and(isActive, isNull(administrators.disabledAt)))
      .prepare('find_staff_session'),
  }
}

/** Of the active sessions among these, by sid. */
export async function readSecondsLeft(
  db: Executor,
  sids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await db
    .select({
      sid: sessions.sid,
      secondsLeft: sql<number>`extract(epoch from ${sessions.expire} - now())::float8`,
    })
    .from(sessions)
    .leftJoin(administrators, eq(administrators.id, sessions.administratorId))
    .where(
      and(
        sql`${sessions.sid} = any(${sql.param(sids)}::text[])`,
        gt(sessions.expire, sql`now()`),
        isNull(administrators.disabledAt),
      ),
    )
  return new Map(found.map(({ sid, secondsLeft }) => [sid, secondsLeft]))
}

/** Whether the administrator has an authenticator app or a passkey, which is both factors at once. */
export const hasSecondFactor = sql<boolean>`(exists (
  select 1 from second_factors where account_id = administrators.id and confirmed_at is not null
) or exists (
  select 1 from passkeys where administrator_id = administrators.id
))`

/** By the database's clock, because the servers' clocks may differ. */
const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

/** PostgreSQL's `least` ignores a null `endsAt`. */
const extended = (idle: number) => sql`least(${inSeconds(idle)}, ${sessions.endsAt})`

/** @param max seconds after which the session ends even if it is used */
export async function insertSession(
  tx: Transaction,
  session: Omit<typeof sessions.$inferInsert, 'expire' | 'endsAt'>,
  { idle, max }: { idle: number; max: number | undefined },
): Promise<void> {
  await tx.insert(sessions).values({
    ...session,
    expire: inSeconds(max === undefined ? idle : Math.min(idle, max)),
    endsAt: max === undefined ? null : inSeconds(max),
  })
}

export async function extendSession(db: Database, sid: string, idle: number): Promise<void> {
  await db
    .update(sessions)
    .set({ expire: extended(idle) })
    .where(eq(sessions.sid, sid))
}

/** @returns the language of the account */
export async function updateLastVisit(db: Executor, userId: string) {
  const [user] = await db
    .update(users)
    .set({ lastVisit: sql`now()` })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .returning({ locale: users.locale })
  return user?.locale
}

/** Returns the administrator's ID if it was a staff session. */
export async function deleteSession(tx: Transaction, sid: string): Promise<string | undefined> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.sid, sid))
    .returning({ administratorId: sessions.administratorId })
  return ended?.administratorId ?? undefined
}

/** Returns their sids. */
export async function deleteExpiredSessions(tx: Transaction): Promise<string[]> {
  const expired = await tx
    .delete(sessions)
    .where(lt(sessions.expire, sql`now()`))
    .returning({ sid: sessions.sid })
  return expired.map(({ sid }) => sid)
}
