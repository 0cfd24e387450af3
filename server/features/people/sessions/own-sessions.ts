import type { OwnSession } from '#contract/accounts.ts'
import type { Seller } from '#server/http/actor.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import * as queries from './queries.ts'
import { SELLER_IDLE_SECONDS } from './sessions.ts'
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

/** Tells sessions apart, and leads back neither to the token nor to what the table holds of it. */
function publicId(sid: string): string {
  return hashToken(`session id ${sid}`).slice(0, 22)
}

/** A session in use is prolonged to its full length, at most once an hour. */
function lastSeen(createdAt: string, expire: Date): Date {
  const prolonged = expire.getTime() - SELLER_IDLE_SECONDS * 1000
  return new Date(Math.max(prolonged, Date.parse(createdAt)))
}
