import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#server/database/pool.ts'
import { administrators, sessions, users } from '#server/database/schema.ts'

export interface FoundSession {
  readonly id: string
  readonly username: string
  readonly expire: Date
}

/** Prepared once: these run with every request of a signed-in person. */
export function prepareLookUps(db: Database) {
  const now = sql`now()`
  const sid = sql.placeholder('sid')
  return {
    seller: db
      .select({ id: users.id, username: users.username, expire: sessions.expire })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.sid, sid), gt(sessions.expire, now)))
      .prepare('find_seller_session'),
    staff: db
      .select({ id: administrators.id, username: administrators.username, expire: sessions.expire })
      .from(sessions)
      .innerJoin(administrators, eq(administrators.id, sessions.administratorId))
      .where(and(eq(sessions.sid, sid), gt(sessions.expire, now), isNull(administrators.disabledAt)))
      .prepare('find_staff_session'),
  }
}

export async function insertSession(db: Database, session: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(session)
}

export async function prolongSession(db: Database, sid: string, expire: Date): Promise<void> {
  await db.update(sessions).set({ expire }).where(eq(sessions.sid, sid))
}

export async function noteVisit(db: Database, userId: string): Promise<void> {
  await db.update(users).set({ lastVisit: new Date() }).where(eq(users.id, userId))
}

export async function deleteSession(tx: Transaction, sid: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.sid, sid))
}

export async function deleteExpiredSessions(db: Database): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expire, new Date()))
}
