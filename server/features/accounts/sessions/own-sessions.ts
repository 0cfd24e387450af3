import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { OwnSessionAnswer } from '#contract/accounts.ts'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { sessions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { endSockets } from '#server/platform/live/publish.ts'
import { type Account, lockOwner, type Person } from '../credentials/owner.ts'
import { revokeSignInLink } from '../staff/sign-in-link.ts'
import { hashToken } from './cookies.ts'

/** Someone's sessions, newest first. */
export async function listOwnSessions(
  db: Executor,
  person: Person,
  idleSeconds: number,
): Promise<OwnSessionAnswer[]> {
  const found = await db
    .select({ sid: sessions.sid, sess: sessions.sess, expire: sessions.expire })
    .from(sessions)
    .where(and(isOf(person), gt(sessions.expire, sql`now()`)))
    .orderBy(desc(sql`${sessions.sess}->>'createdAt'`))
    .limit(200)
  return found.map(({ sid, sess, expire }) => ({
    id: publicId(sid),
    current: sid === person.sid,
    userAgent: sess.userAgent ?? null,
    createdAt: new Date(sess.createdAt),
    lastSeen: lastSeen(sess.createdAt, expire, idleSeconds),
    expire,
  }))
}

/** Identifies a session without revealing its token or the stored hash. */
function publicId(sid: string): string {
  return hashToken(`session id ${sid}`).slice(0, 22)
}

/** A session in use is extended to its full idle time now and then, but not past the end of a staff session. */
function lastSeen(createdAt: string, expire: Date, idleSeconds: number): Date {
  const extended = expire.getTime() - idleSeconds * 1000
  return new Date(Math.max(extended, Date.parse(createdAt)))
}

/** Ends all sessions but the caller's. Returns the number of sessions that were still active. */
export function endOtherSessions(db: Database, person: Person): Promise<number> {
  return transaction(db, async (tx) => {
    await lockOwner(tx, person)
    return endSessions(tx, person, { except: person.sid })
  })
}

/**
 * Ends someone's sessions and their open sockets, and revokes the sign-in link of staff. Returns the number of sessions that
 * were still active.
 */
export async function endSessions(
  tx: Transaction,
  account: Account,
  { except }: { except?: string } = {},
): Promise<number> {
  const others = except === undefined ? undefined : ne(sessions.sid, except)
  const ended = await tx
    .delete(sessions)
    .where(and(isOf(account), others))
    .returning({ sid: sessions.sid, isActive: sql<boolean>`${sessions.expire} > now()` })
  const active = ended.filter(({ isActive }) => isActive).map(({ sid }) => sid)
  await endSockets(tx, active)
  if (account.kind === 'staff') await revokeSignInLink(tx, account.id)
  return active.length
}

/** Closes someone's open sockets. The sessions continue. */
export async function closeSockets(tx: Transaction, account: Account): Promise<void> {
  const found = await tx.select({ sid: sessions.sid }).from(sessions).where(isOf(account))
  await endSockets(
    tx,
    found.map(({ sid }) => sid),
  )
}

const isOf = ({ kind, id }: Account) => eq(kind === 'seller' ? sessions.userId : sessions.administratorId, id)
