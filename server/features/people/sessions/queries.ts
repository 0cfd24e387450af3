import { and, desc, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, sessions, users } from '#server/platform/database/schema.ts'

export interface FoundSession {
  readonly id: string
  readonly username: string
  readonly secondsLeft: number
  /** How much longer it would live if it were prolonged now. */
  readonly secondsToGain: number
}

/**
 * Prepared once: these run with every request of a signed-in person.
 * @param idleSeconds how long a session of each kind lives without being used
 */
export function prepareLookUps(db: Database, idleSeconds: { seller: number; staff: number }) {
  const now = sql`now()`
  const gain = (seconds: number) =>
    sql<number>`extract(epoch from ${prolonged(seconds)} - ${sessions.expire})::float8`
  const secondsLeft = sql<number>`extract(epoch from ${sessions.expire} - now())::float8`
  const sid = sql.placeholder('sid')
  return {
    seller: db
      .select({
        id: users.id,
        username: users.username,
        secondsLeft,
        secondsToGain: gain(idleSeconds.seller),
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.sid, sid), gt(sessions.expire, now)))
      .prepare('find_seller_session'),
    staff: db
      .select({
        id: administrators.id,
        username: administrators.username,
        secondsLeft,
        secondsToGain: gain(idleSeconds.staff),
      })
      .from(sessions)
      .innerJoin(administrators, eq(administrators.id, sessions.administratorId))
      .where(and(eq(sessions.sid, sid), gt(sessions.expire, now), isNull(administrators.disabledAt)))
      .prepare('find_staff_session'),
  }
}

/** By the database's clock, as the look-up: the servers' own may differ. */
const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

/** A session has this end at the latest; PostgreSQL's `least` skips a missing one. */
const prolonged = (seconds: number) => sql`least(${inSeconds(seconds)}, ${sessions.endsAt})`

/** @param longest when it ends even if it is used; undefined: never */
export async function insertSession(
  tx: Transaction,
  session: Omit<typeof sessions.$inferInsert, 'expire' | 'endsAt'>,
  { idle, longest }: { idle: number; longest: number | undefined },
): Promise<void> {
  await tx.insert(sessions).values({
    ...session,
    expire: inSeconds(longest === undefined ? idle : Math.min(idle, longest)),
    endsAt: longest === undefined ? null : inSeconds(longest),
  })
}

export async function prolongSession(db: Database, sid: string, seconds: number): Promise<void> {
  await db
    .update(sessions)
    .set({ expire: prolonged(seconds) })
    .where(eq(sessions.sid, sid))
}

export async function noteVisit(db: Executor, userId: string): Promise<void> {
  await db.update(users).set({ lastVisit: sql`now()` }).where(eq(users.id, userId))
}

/** @returns whose it was, when it was one of staff */
export async function deleteSession(tx: Transaction, sid: string): Promise<string | undefined> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.sid, sid))
    .returning({ administratorId: sessions.administratorId })
  return ended?.administratorId ?? undefined
}

/** @returns their sids */
export async function deleteExpiredSessions(tx: Transaction): Promise<string[]> {
  const expired = await tx
    .delete(sessions)
    .where(lt(sessions.expire, sql`now()`))
    .returning({ sid: sessions.sid })
  return expired.map(({ sid }) => sid)
}

/** The newest first; beyond 200 nobody reads on. */
export async function listSellerSessions(db: Executor, userId: string) {
  return db
    .select({ sid: sessions.sid, sess: sessions.sess, expire: sessions.expire })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expire, sql`now()`)))
    .orderBy(desc(sql`${sessions.sess}->>'createdAt'`))
    .limit(200)
}

/** @returns the ended ones, those that had run out already not among them */
export async function deleteSellerSessions(
  tx: Transaction,
  userId: string,
  exceptSid: string | undefined,
): Promise<string[]> {
  const ended = await tx
    .delete(sessions)
    .where(
      and(eq(sessions.userId, userId), exceptSid === undefined ? undefined : ne(sessions.sid, exceptSid)),
    )
    .returning({ sid: sessions.sid, alive: sql<boolean>`${sessions.expire} > now()` })
  return ended.filter(({ alive }) => alive).map(({ sid }) => sid)
}

/** @returns the ended ones */
export async function deleteStaffSessions(tx: Transaction, administratorId: string): Promise<string[]> {
  const ended = await tx
    .delete(sessions)
    .where(eq(sessions.administratorId, administratorId))
    .returning({ sid: sessions.sid })
  return ended.map(({ sid }) => sid)
}
