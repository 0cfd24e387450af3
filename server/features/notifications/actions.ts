import { and, eq, like, sql } from 'drizzle-orm'
import { firstToEachAccount } from '#server/features/books/entries.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { executePrepared } from '#server/platform/database/queries.ts'
import { jobs } from '#server/platform/database/schema.ts'
import { notifyLane, type PushNews } from '#server/platform/jobs/jobs.ts'

/** News older than this are no longer pushed. The mail has them. */
const MAX_AGE = sql`interval '1 day'`
/** Pushes enqueued for the same second, so that those of a large batch do not delay others. */
const PUSHES_PER_SECOND = 20

/**
 * Enqueues one push for each subscribed browser of a seller.
 * @param afterSeconds how long to wait, as with the mail
 */
export async function enqueuePushes(
  tx: Transaction,
  userId: string,
  news: PushNews,
  afterSeconds = 0,
): Promise<void> {
  await enqueueManyPushes(tx, [{ userId, news, afterSeconds }])
}

/** The same for news of several sellers. */
export async function enqueueManyPushes(
  tx: Transaction,
  many: readonly { readonly userId: string; readonly news: PushNews; readonly afterSeconds: number }[],
): Promise<void> {
  const rows = many.map((one) => ({ ...one, key: keyOf(one.news) }))
  const enqueued = await executePrepared(
    tx,
    'enqueue_pushes',
    sql`
    insert into jobs (id, kind, key, payload, run_at)
    select gen_random_uuid(), 'push', given.key || push_subscriptions.id,
      jsonb_build_object('subscriptionId', push_subscriptions.id, 'news', given.news, 'until', now() + ${MAX_AGE}),
      now() + make_interval(secs => given."afterSeconds")
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as given ("userId" uuid, key text, news jsonb, "afterSeconds" double precision)
      join sessions on sessions.user_id = given."userId"
      join push_subscriptions on push_subscriptions.sid = sessions.sid
    on conflict do nothing`,
  )
  if (enqueued.rowCount) await notifyLane(tx, 'pushes')
}

/** Enqueues the pushes about a batch whose file was sent: the same payouts as with the mails. */
export async function enqueueBatchPushes(tx: Transaction, batchId: string): Promise<void> {
  await tx.execute(sql`
    insert into jobs (id, kind, key, payload, run_at)
    select gen_random_uuid(), 'push', 'payout:' || payouts.id || ':sent:' || push_subscriptions.id,
      jsonb_build_object('subscriptionId', push_subscriptions.id, 'until', now() + ${MAX_AGE},
        'news', jsonb_build_object('about', 'payout', 'payoutId', payouts.id, 'event', 'sent')),
      now() + (row_number() over (order by batch_position) - 1) / ${PUSHES_PER_SECOND} * interval '1 second'
    from ${firstToEachAccount(batchId)}
      join sessions on sessions.user_id = payouts.seller_id
      join push_subscriptions on push_subscriptions.sid = sessions.sid
    on conflict do nothing`)
}

/** Removes the pushes about a move that staff have taken back. */
export async function cancelPushes(
  tx: Transaction,
  move: { giftCardId: string; version: number },
): Promise<void> {
  const key = keyOf({ about: 'move', ...move })
  await tx.delete(jobs).where(and(eq(jobs.kind, 'push'), like(jobs.key, `${key}%`), eq(jobs.attempts, 0)))
}

/** The start of the keys of an event's jobs. Each ends in the subscription's id. */
function keyOf(news: PushNews): string {
  if (news.about === 'move') return `move:${news.giftCardId}:${news.version}:`
  if (news.about === 'payout') return `payout:${news.payoutId}:${news.event}:`
  return `reply:${news.threadId}:${news.number}:`
}
