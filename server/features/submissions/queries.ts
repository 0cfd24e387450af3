import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { endings } from '#contract/submissions.ts'
import { accountReasons } from '#domain/failure.ts'
import { explainedStatuses, type Status } from '#domain/submission.ts'
import { isAccountDead } from '#server/features/books/dead-accounts.ts'
import { databaseTime } from '#server/platform/database/clock.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { jsonObject } from '#server/platform/database/queries.ts'
import { giftCards, photos } from '#server/platform/database/schema.ts'
import type { StoredReason } from './reasons.ts'

/** The names of a submission's photos, in order, without those of balance checks. */
export const photoNames = sql<string[]>`(
  select coalesce(array_agg(${photos.name} order by ${photos.position}), '{}')
  from ${photos} where ${photos.giftCardId} = ${giftCards.id} and ${photos.balanceCheckId} is null
)`

/** Statuses for `in (…)`, as literals so that a prepared statement is planned with them. */
export const statusList = (statuses: readonly Status[]) =>
  sql.raw(statuses.map((status) => `'${status}'`).join(', '))

/**
 * The text that explains the current status: a reason or a question to the seller. Columns are plain text, because drizzle
 * omits the table's name when a query reads only one table.
 */
export const statusReason = sql`(
  select json_build_object('code', reason_code, 'sealed', encode(sealed_reason, 'hex')) from status_history
  where status_history.gift_card_id = gift_cards.id and status_history.version = gift_cards.version
    and gift_cards.status in (${statusList(explainedStatuses)})
)`.mapWith(toStoredReason)

function toStoredReason(row: {
  code: StoredReason['reasonCode']
  sealed: string | null
}): StoredReason | null {
  return { reasonCode: row.code, sealedReason: row.sealed === null ? null : Buffer.from(row.sealed, 'hex') }
}

/** Whether a submission failed for one of these reasons, and can still be paid: its account was not erased. */
export const failedFor = (reasons: readonly string[]) => sql<boolean>`(
  gift_cards.status = 'failed' and gift_cards.secrets_erased_at is null and (
    select coalesce(reason_code, 'free_text') from status_history
    where status_history.gift_card_id = gift_cards.id and status_history.version = gift_cards.version
  ) in ${reasons}
)`

/** Whether a submission failed because of its payout account, so that the seller can make it payable with another one. */
export const failedForAccount = failedFor(accountReasons)

/** Whether a payout that came back was not replaced, for queries of payouts. */
export const isReturnedLast = sql`payouts.state = 'returned' and not exists (
  select 1 from payouts later where later.gift_card_id = payouts.gift_card_id
    and later.number > payouts.number and later.state <> 'void'
)`

/** Whether a due payout cannot leave because of its account, for queries of payouts and gift_cards. */
export const isDueToBadAccount = sql`payouts.state = 'due' and (${isAccountDead} or gift_cards.routing_number_suspect)`

/** Whether the seller is asked for another account, because the payout cannot leave or has failed. For queries of gift_cards. */
export const needsAccount = sql<boolean>`(
  ${failedForAccount} or gift_cards.status = 'processing' and gift_cards.secrets_erased_at is null and exists (
    select from payouts where payouts.gift_card_id = gift_cards.id and (${isReturnedLast} or ${isDueToBadAccount})
  )
)`

/** The amount of a submission's payout, which is void once the submission failed. For queries of gift_cards. */
export const lastPayoutAmount = sql<number>`(
  select amount from payouts where payouts.gift_card_id = gift_cards.id and (state <> 'void' or not by_hand)
  order by number desc limit 1
)`

/** How a cancelled submission ended. Withdrawals of earlier versions are not named in the history. */
export const ending = sql<(typeof endings)[number] | null>`(
  select coalesce(move, 'withdraw') from status_history
  where status_history.gift_card_id = gift_cards.id and status_history.version = gift_cards.version
    and gift_cards.status = 'cancelled'
)`

/** The submission in which the seller has sent the card again. */
export const resubmission = jsonObject<{ id: string; createdAt: Date; isCleared: boolean }>(
  sql`(
    select json_build_object('id', later.id, 'createdAt', later.created_at, 'isCleared', later.cleared_at is not null)
    from gift_cards as later where later.resubmission_of = gift_cards.id
  )`,
  'createdAt',
)

/** The rejected submission of the same card, unless it was cleared. */
export const resubmissionOf = sql<string | null>`(
  select earlier.id from gift_cards as earlier
  where earlier.id = gift_cards.resubmission_of and earlier.cleared_at is null
)`

export const notCleared = isNull(giftCards.clearedAt)

export type CardRow = typeof giftCards.$inferSelect

/** Locks a submission until the transaction ends, so that only one decision is made at a time. */
export async function lockCard(tx: Transaction, id: string, sellerId?: string) {
  const own = sellerId === undefined ? undefined : eq(giftCards.sellerId, sellerId)
  const [row] = await tx
    .select({ ...getTableColumns(giftCards), lockedAt: databaseTime })
    .from(giftCards)
    .where(and(eq(giftCards.id, id), notCleared, own))
    .for('update')
    .prepare(own ? 'lock_own_card' : 'lock_card')
    .execute()
  return row
}

/** What a move needs of a locked submission. `lockedAt` is the database's time, and becomes the time of the move. */
export type LockedCard = Pick<
  CardRow,
  | 'id'
  | 'sellerId'
  | 'brand'
  | 'brandName'
  | 'denomination'
  | 'sellingPrice'
  | 'offerAmount'
  | 'offerExpiresAt'
  | 'appealedAt'
  | 'paymentType'
  | 'paymentAccountHint'
  | 'status'
  | 'version'
  | 'dataKey'
  | 'saleId'
  | 'salePosition'
> & { lockedAt: Date }

/** Locks submissions in the order of their ids, as everything that locks several does. Leaves out those that were removed. */
export async function lockCards(tx: Transaction, ids: readonly string[], sellerId?: string) {
  const own = sellerId === undefined ? undefined : eq(giftCards.sellerId, sellerId)
  return tx
    .select({ ...getTableColumns(giftCards), lockedAt: databaseTime })
    .from(giftCards)
    .where(and(sql`${giftCards.id} = any(${sql.param(ids)}::uuid[])`, notCleared, own))
    .orderBy(asc(giftCards.id))
    .for('update')
}

/** The open offer of a submission, for either side. */
export function toOffer(
  { offerAmount, offerExpiresAt }: Pick<CardRow, 'offerAmount' | 'offerExpiresAt'>,
  reason: string | null,
) {
  if (offerAmount === null || offerExpiresAt === null) return null
  return { amount: offerAmount, reason, expiresAt: offerExpiresAt }
}

export async function findCard(db: Executor, id: string): Promise<CardRow | undefined> {
  const [row] = await db
    .select()
    .from(giftCards)
    .where(and(eq(giftCards.id, id), notCleared))
  return row
}
