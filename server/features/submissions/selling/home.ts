import { type SQL, sql } from 'drizzle-orm'
import { HOME_ROWS, type HomeAnswer } from '#contract/home.ts'
import { maskAccountInfo } from '#domain/payment-methods.ts'
import { APPEAL_DAYS, accountTakingStatuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { bounceOf, findUser } from '#server/features/accounts/sellers/account.ts'
import { isAccountRefused } from '#server/features/books/dead-accounts.ts'
import { needsTaxDetails } from '#server/features/books/tax-details.ts'
import type { Seller } from '#server/http/actor.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { hasLess } from '../balance-requests.ts'
import {
  failedFor,
  failedForAccount,
  isDueToBadAccount,
  isReturnedLast,
  lastPayoutAmount,
} from '../queries.ts'
import { toSellerSubmission } from './actions.ts'
import { listSellerCards } from './queries.ts'

/** What needs the seller, what is under way, and what was paid. */
export async function readHome(
  context: Context,
  { id: sellerId, locale }: Seller,
  db: Executor = context.db,
): Promise<HomeAnswer> {
  const [needsYou, underWay, rejected, paid, toReceive, taxDetailsNeeded, bouncedEmail] = await Promise.all([
    findOpenTasks(db, sellerId),
    findUnderWay(db, sellerId),
    findRejected(db, sellerId),
    findPaid(db, sellerId),
    sumToReceive(db, sellerId),
    needsTaxDetails(context, sellerId),
    findBouncedEmail(db, sellerId),
  ])
  const ids = [needsYou, underWay, rejected, paid].flatMap((found) => found.ids)
  const rows = await listSellerCards(db, { sellerId, ids, limit: ids.length })
  const byId = new Map(
    rows.map((row) => [row.card.id, toSellerSubmission(row, context, context.words[locale])]),
  )
  const cardsOf = (found: Found) => found.ids.flatMap((id) => byId.get(id) ?? [])
  const sumOf = (found: Found) => Number(found.amount)
  return {
    needsYou: { count: needsYou.count, cards: cardsOf(needsYou) },
    underWay: { count: underWay.count, amount: sumOf(underWay), cards: cardsOf(underWay) },
    toReceive,
    rejected: { count: rejected.count, cards: cardsOf(rejected) },
    paid: { count: paid.count, amount: sumOf(paid), cards: cardsOf(paid) },
    taxDetailsNeeded,
    bouncedEmail,
  }
}

const BOUNCE_DAYS = 30

/** Masked. Sellers are not told that they complained, nor for long: a full mailbox may have room again. */
async function findBouncedEmail(db: Executor, sellerId: string): Promise<string | null> {
  const user = await findUser(db, sellerId)
  const bounce = user && bounceOf(user)
  if (bounce?.kind !== 'bounce' || Date.now() - Date.parse(bounce.at) > BOUNCE_DAYS * 86_400_000) return null
  return maskAccountInfo(bounce.email)
}

interface Found {
  readonly ids: string[]
  readonly count: number
  /** Cents. */
  readonly amount?: string
}

/**
 * Cards of the seller that need another account: their payouts cannot leave, or they are not approved yet and their account was refused
 * or has a wrong routing number. A card whose secrets were erased cannot take one.
 * @param isAsked leaves out cards that are not approved yet and whose account was refused
 */
export const cardsWithoutAccount = (sellerId: string, isAsked: SQL = sql`true`) => {
  const select = sql`
    select gift_cards.id, offer_expires_at, updated_at, payouts.amount from payouts
    join gift_cards on gift_cards.id = payouts.gift_card_id
    where payouts.seller_id = ${sellerId}
      and status = 'processing' and cleared_at is null and secrets_erased_at is null`
  // Each has an index. Joined by OR, they would read all payouts of the seller.
  return sql`
    ${select} and ${isReturnedLast}
    union all ${select} and ${isDueToBadAccount}
    union all
    select id, offer_expires_at, updated_at, ${lastPayoutAmount} from gift_cards
    where seller_id = ${sellerId} and status = 'failed' and cleared_at is null and ${failedForAccount}
    union all
    select id, offer_expires_at, updated_at, coalesce(offer_amount, selling_price) from gift_cards
    where seller_id = ${sellerId} and status in ${accountTakingStatuses} and cleared_at is null
      and secrets_erased_at is null and (routing_number_suspect or ${isAccountRefused} and ${isAsked})`
}

/** The same, but if an approved card asks for the account, cards in review do not ask for it too. They stay under way. */
const cardsToAskAbout = (sellerId: string) =>
  cardsWithoutAccount(
    sellerId,
    sql`not exists (
      select from gift_cards approved where approved.seller_id = ${sellerId} and approved.status = 'processing'
        and approved.cleared_at is null and approved.payment_type = gift_cards.payment_type
        and approved.payment_account_index = gift_cards.payment_account_index
    )`,
  )

/** Failed payouts about which the seller has to write to us. */
const failedOtherwise = failedFor(['free_text'])

async function findOpenTasks(db: Executor, sellerId: string): Promise<Found> {
  return findOne(
    db,
    sql`
      with waiting as materialized (
        select id, offer_expires_at, updated_at from gift_cards
        where seller_id = ${sellerId} and status in ('under_review', 'offered') and cleared_at is null
        union all
        select id, offer_expires_at, updated_at from gift_cards
        where seller_id = ${sellerId} and status = 'failed' and cleared_at is null and ${failedOtherwise}
        -- A card with a question may also need another account.
        union select id, offer_expires_at, updated_at from (${cardsToAskAbout(sellerId)}) unpayable
      ), shown as (
        select id, row_number() over (order by offer_expires_at nulls last, updated_at, id) as position
        from waiting order by position limit ${HOME_ROWS.needsYou}
      )
      select coalesce((select array_agg(id order by position) from shown), '{}') as ids,
        (select count(*)::integer from waiting) as count`,
  )
}

async function findUnderWay(db: Executor, sellerId: string): Promise<Found> {
  const isWaiting = sql`gift_cards.id in (select id from (${cardsToAskAbout(sellerId)}) waiting)`
  return findOne(
    db,
    sql`
      with shown as (
        select id from gift_cards
        where seller_id = ${sellerId} and status in ('pending', 'processing') and cleared_at is null
          and not ${isWaiting}
        order by id desc limit ${HOME_ROWS.underWay}
      )
      select coalesce((select array_agg(id order by id desc) from shown), '{}') as ids,
        count(*)::integer as count, coalesce(sum(coalesce(payouts.amount, selling_price)), 0) as amount
      from gift_cards
      left join payouts on payouts.gift_card_id = gift_cards.id
        and payouts.state in ('due', 'batched', 'released', 'exported', 'paid')
      where gift_cards.seller_id = ${sellerId} and status in ('pending', 'processing') and cleared_at is null
        and not ${isWaiting}`,
  )
}

async function findRejected(db: Executor, sellerId: string): Promise<Found> {
  return findOne(
    db,
    sql`
      with refused as materialized (
        select id, updated_at from gift_cards
        where seller_id = ${sellerId} and status = 'rejected' and cleared_at is null
          and updated_at > now() - make_interval(days => ${APPEAL_DAYS})
          and not exists (select 1 from gift_cards later where later.resubmission_of = gift_cards.id)
      ), shown as (
        select id, updated_at from refused order by updated_at desc, id limit ${HOME_ROWS.rejected}
      )
      select coalesce((select array_agg(id order by updated_at desc, id) from shown), '{}') as ids,
        (select count(*)::integer from refused) as count`,
  )
}

async function findPaid(db: Executor, sellerId: string): Promise<Found> {
  return findOne(
    db,
    sql`
      with shown as (
        select gift_card_id, paid_at from payouts where seller_id = ${sellerId} and state = 'paid'
        order by paid_at desc limit ${HOME_ROWS.paid}
      )
      select coalesce((select array_agg(gift_card_id order by paid_at desc) from shown), '{}') as ids,
        count(*)::integer as count, coalesce(sum(amount), 0) as amount
      from payouts where seller_id = ${sellerId} and state = 'paid'`,
  )
}

async function sumToReceive(db: Executor, sellerId: string): Promise<HomeAnswer['toReceive']> {
  type Sum = 'approved' | 'amount' | 'count' | 'lower' | 'asked' | 'askedAmount' | 'offers'
  const { rows } = await db.execute<Record<Sum, string>>(sql`
    select coalesce(sum(coalesce(${lastPayoutAmount}, selling_price)) filter (where status in ('processing', 'failed')), 0)
        as approved,
      coalesce(sum(selling_price) filter (where status = 'pending' and not ${hasLess}), 0) as amount,
      count(*) filter (where ${hasLess}) as lower,
      count(*) filter (where status = 'pending') as count,
      coalesce(sum(selling_price) filter (where status = 'under_review'), 0) as "askedAmount",
      count(*) filter (where status = 'under_review') as asked,
      count(*) filter (where status = 'offered') as offers
    from gift_cards
    where seller_id = ${sellerId} and cleared_at is null
      and status in ('pending', 'under_review', 'offered', 'processing', 'failed')
      and (status <> 'failed' or ${failedForAccount})`)
  const { approved, amount, count, lower, asked, askedAmount, offers } = rows[0] ?? {}
  return {
    approved: Number(approved),
    inReview: { count: Number(count), amount: Number(amount), lower: Number(lower) },
    asked: { count: Number(asked), amount: Number(askedAmount) },
    offers: Number(offers),
  }
}

async function findOne(db: Executor, query: ReturnType<typeof sql>): Promise<Found> {
  const { rows } = await db.execute<Found & Record<string, unknown>>(query)
  return rows[0] ?? { ids: [], count: 0 }
}
