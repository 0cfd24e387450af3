import { and, eq, gt, sql } from 'drizzle-orm'
import { letterKinds } from '#domain/notifications.ts'
import type { Context } from '#server/context.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { pushSubscriptions, sessions, users } from '#server/platform/database/schema.ts'
import type { JobPayloads, PushNews } from '#server/platform/jobs/jobs.ts'
import type { PushLetter } from '#server/platform/mail/letter.ts'
import type { PushSender } from '#server/platform/push/push-sender.ts'
import { withLocale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { wants } from './settings.ts'

/** Writes the news. Undefined if they are old: something has happened since, or the seller has read them. */
type ComposePush = (context: Context, t: Translate, news: PushNews) => Promise<PushLetter | undefined>

/**
 * Pushes news to one browser, in the seller's language. Sends nothing if the session has ended, the seller does not want such
 * pushes, or the news are old. A subscription that the push service no longer knows is deleted.
 */
export async function sendPush(
  context: Context,
  push: PushSender,
  { subscriptionId, news, until }: JobPayloads['push'],
  compose: ComposePush,
): Promise<void> {
  const { db, words } = context
  const ttl = Math.floor((Date.parse(until) - Date.now()) / 1000)
  const found = await findSubscription(db, subscriptionId)
  if (!found || ttl <= 0) return
  const { subscription, userId, locale } = found
  const t = words[locale]
  const letter = await compose(context, t, news)
  if (!letter) return
  const { push: setting } = letterKinds[letter.kind]
  if (setting === 'never' || !(await wants(db, { userId, kind: setting }, 'push'))) return
  const { kind, values, text, topic, path } = letter
  const own = eq(pushSubscriptions.id, subscriptionId)
  const isAlive = await push.send(subscription, {
    payload: {
      title: t(`push.${kind}.title`, values),
      body: t(text ?? `push.${kind}.text`, values),
      tag: topic,
      lang: locale,
      path: withLocale(locale, path),
    },
    topic,
    // The seller is expected to answer these.
    urgency: ['question', 'offer', 'reply'].includes(setting) ? 'high' : 'normal',
    ttl,
  })
  if (isAlive) await db.update(pushSubscriptions).set({ lastSuccess: sql`now()` }).where(own)
  // The browser may have replaced it in the meantime.
  else
    await db.delete(pushSubscriptions).where(and(own, eq(pushSubscriptions.endpoint, subscription.endpoint)))
}

async function findSubscription(db: Database, id: string) {
  const { endpoint, p256dh, auth } = pushSubscriptions
  const [row] = await db
    .select({ subscription: { endpoint, p256dh, auth }, userId: users.id, locale: users.locale })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.sid, pushSubscriptions.sid))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(pushSubscriptions.id, id), gt(sessions.expire, sql`now()`)))
  return row
}
