import { sql } from 'drizzle-orm'
import { type Cents, toDollars } from '#domain/money.ts'
import { exceededLimit, type Leaving, type Limit, type PayoutLimits } from '#domain/payout-limits.ts'
import { Refusal } from '#server/http/refusal.ts'
import { settings } from '#server/platform/config/settings.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { isStopped } from './stop.ts'

const variables: Readonly<Record<Limit, string>> = {
  perPayout: settings.payoutLimit.name,
  perBatch: settings.payoutLimitPerBatch.name,
  perDay: settings.payoutLimitPerDay.name,
}

/** Why money may not leave now; undefined if it may. */
export async function findLimitRefusal(
  db: Executor,
  limits: PayoutLimits,
  leaving: Omit<Leaving, 'sentToday'>,
): Promise<Refusal | undefined> {
  const { sent: sentToday = 0, zone = '' } = limits.perDay === undefined ? {} : await readSentToday(db)
  const limit = exceededLimit(limits, { ...leaving, sentToday })
  if (!limit) return undefined
  const amount = limit === 'perPayout' ? leaving.largest : leaving.total
  return new Refusal('payout_limit', `refusals.payout_limit_${limit}`, {
    params: {
      amount: toDollars(amount),
      maximum: toDollars(limits[limit] ?? 0),
      today: toDollars(sentToday),
      left: toDollars(Math.max(0, (limits.perDay ?? 0) - sentToday)),
      zone,
      setting: variables[limit],
    },
  })
}

/**
 * Throws `payout_limit`. What leaves at the same time waits, so that together they keep the limit of the day. While payouts are
 * stopped, payments that were sent before are recorded whatever they add up to.
 */
export async function requireWithinLimits(
  tx: Transaction,
  limits: PayoutLimits,
  leaving: Omit<Leaving, 'sentToday'>,
): Promise<void> {
  if (limits.perDay !== undefined) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('payouts_per_day'))`)
  }
  const refusal = await findLimitRefusal(tx, limits, leaving)
  if (refusal && !(await isStopped(tx))) throw refusal
}

/** The limit of the day and how much of it is used. Null: there is none. */
export async function readDayLimit(db: Executor, { perDay }: PayoutLimits) {
  if (perDay === undefined) return null
  const { sent } = await readSentToday(db)
  return { limit: perDay, sent, left: Math.max(0, perDay - sent) }
}

/**
 * What was released and paid by hand today, without batches that did not leave in the end, and the time zone of the day. A reverted
 * payment may have been sent.
 */
async function readSentToday(db: Executor): Promise<{ sent: Cents; zone: string }> {
  const today = sql`date_trunc('day', now())`
  const { rows } = await db.execute<{ sent: string; zone: string }>(sql`
    select (select coalesce(sum(total), 0) from payout_batches
        where released_at >= ${today} and state in ('released', 'exported', 'settled'))
      + (select coalesce(sum(amount), 0) from payouts
        where by_hand and sent_at >= ${today} and state in ('paid', 'returned'))
      + (select coalesce(sum(amount), 0) from payouts
        where reverted_sent_at >= ${today} and not_sent_at is null) as sent,
      current_setting('TimeZone') as zone`)
  const [{ sent, zone } = { sent: 0, zone: '' }] = rows
  return { sent: Number(sent), zone }
}
