import { ECDH } from 'node:crypto'
import { desc, eq, inArray, or } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { pushSubscription } from '#contract/push.ts'
import { type Seller, signedOut } from '#server/http/actor.ts'
import { invalid } from '#server/http/refusal.ts'
import type { Database, Executor } from '#server/platform/database/pool.ts'
import { pushSubscriptions, sessions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { PushSender } from '#server/platform/push/push-sender.ts'

const MAX_PER_SELLER = 10

/** Where the pushes to this browser go. Null if it has not subscribed. */
export async function findEndpoint(db: Database, { sid }: Seller): Promise<string | null> {
  const [row] = await db
    .select({ endpoint: pushSubscriptions.endpoint })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sid, sid))
  return row?.endpoint ?? null
}

/**
 * Subscribes this browser. A browser keeps its endpoint when somebody else signs in, so the person before loses it.
 * Throws a refusal for an endpoint that is not at a known push service.
 */
export async function subscribe(
  db: Database,
  push: PushSender,
  seller: Seller,
  { endpoint, keys }: z.output<typeof pushSubscription>,
): Promise<void> {
  if (!push.accepts(endpoint)) throw invalid([{ path: 'endpoint', code: 'push_service_unknown' }])
  if (!isPoint(keys.p256dh)) throw invalid([{ path: 'keys.p256dh', code: 'push_subscription_invalid' }])
  const { sid } = seller
  await transaction(db, async (tx) => {
    // Locked: the session may be ending.
    const [session] = await tx
      .select({ sid: sessions.sid })
      .from(sessions)
      .where(eq(sessions.sid, sid))
      .for('key share')
    if (!session) throw signedOut()
    await tx
      .delete(pushSubscriptions)
      .where(or(eq(pushSubscriptions.sid, sid), eq(pushSubscriptions.endpoint, endpoint)))
    await tx.insert(pushSubscriptions).values({ id: uuidv7(), sid, endpoint, ...keys })
    const tooMany = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .innerJoin(sessions, eq(sessions.sid, pushSubscriptions.sid))
      .where(eq(sessions.userId, seller.id))
      .orderBy(desc(pushSubscriptions.id))
      .offset(MAX_PER_SELLER)
    await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, tooMany))
  })
}

/** Whether it is a public key on the curve, which pushes are encrypted with. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

export async function unsubscribe(db: Executor, { sid }: Seller): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.sid, sid))
}
