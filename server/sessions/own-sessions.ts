import type { OwnSession } from '#contract/accounts.ts'
import type { Executor, Transaction } from '#server/database/pool.ts'
import type { Seller } from '#server/http/actor.ts'
import { endSockets } from '#server/live/publish.ts'
import * as queries from './queries.ts'
import { sessionLifetimeSeconds } from './sessions.ts'
import { hashToken } from './token.ts'

/** Where the seller is signed in, newest first. */
export async function listOwnSessions(db: Executor, seller: Seller): Promise<OwnSession[]> {
  const found = await queries.listSellerSessions(db, seller.id)
  return found.map(({ sid, sess, expire }) => ({
    id: publicId(sid),
    current: sid === seller.sid,
    userAgent: sess.userAgent ?? null,
    createdAt: sess.createdAt,
    lastSeen: lastSeen(sess.createdAt, expire).toISOString(),
    expire: expire.toISOString(),
  }))
}

/**
 * Signs a seller out everywhere, their open sockets included, or everywhere but in one session.
 * @returns how many sessions ended
 */
export async function endSellerSessions(
  tx: Transaction,
  userId: string,
  { except }: { except?: string } = {},
): Promise<number> {
  const ended = await queries.deleteSellerSessions(tx, userId, except)
  await endSockets(tx, ended)
  return ended.length
}

/** Tells sessions apart, and leads back neither to the token nor to what the table holds of it. */
function publicId(sid: string): string {
  return hashToken(`session id ${sid}`).slice(0, 22)
}

/** A session in use is prolonged to its full length, at most once an hour. */
function lastSeen(createdAt: string, expire: Date): Date {
  const prolonged = expire.getTime() - sessionLifetimeSeconds('seller') * 1000
  return new Date(Math.max(prolonged, Date.parse(createdAt)))
}
