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
  const sentToday = limits.perDay === undefined ? 0 : await readSentToday(db)
  const limit = exceededLimit(limits, { ...leaving, sentToday })
  if (!limit) return undefined
  const amount = limit === 'perPayout' ? leaving.largest : leaving.total
  return new Refusal('payout_limit', `refusals.payout_limit_${limit}`, {
    params: {
      amount: toDollars(amount),
      maximum: toDollars(limits[limit] ?? 0),
      today: toDollars(sentToday),
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

/** What was released and paid by hand today, without batches that did not leave in the end. A reverted payment may have been sent. */
async function readSentToday(db: Executor): Promise<Cents> {
  const today = sql`date_trunc('day', now())`
  const { rows } = await db.execute<{ sent: string }>(sql`
    select (select coalesce(sum(total), 0) from payout_batches
        where released_at >= ${today} and state in ('released', 'exported', 'settled'))
      + (select coalesce(sum(amount), 0) from payouts
        where by_hand and sent_at >= ${today} and state in ('paid', 'returned'))
      + (select coalesce(sum(amount), 0) from payouts
        where reverted_sent_at >= ${today} and not_sent_at is null) as sent`)
  return Number(rows[0]?.sent)
}
