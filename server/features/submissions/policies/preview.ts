import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { PolicyPreviewAnswer, policyTerms } from '#contract/policies.ts'
import {
  exceededPolicyLimit,
  FAILED_CARD_DAYS,
  failedCondition,
  NEW_HOURS,
  type PolicyFacts,
  type PolicyReason,
} from '#domain/policy.ts'
import { findRisks, MANY_CARDS, type RiskFacts } from '#domain/risk.ts'
import type { Status } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { statusList } from '../queries.ts'

/** Cards that are looked at. */
const CARDS = 1000

/**
 * What a policy would have done with the latest cards, by the facts at the submission of each. Leaves out what nobody can know now:
 * similar photos and refused accounts of that time, states and holds of sellers, and the age of the balance. A card without a check
 * counts as if its balance was right. Draws no sample.
 */
export async function previewPolicy(
  { db }: Context,
  terms: z.output<typeof policyTerms>,
): Promise<PolicyPreviewAnswer> {
  const cards = await readEarlierFacts(db)
  const stopped = new Map<PolicyReason, number>()
  const approved = new Map<string, number>()
  const today = (key: string) => approved.get(key) ?? 0
  let [passed, price] = [0, 0]
  for (const card of cards) {
    const hasRisk = findRisks({ ...card, ...notRead }).length > 0
    const sellerDay = `${card.day} ${card.sellerId}`
    const reason =
      failedCondition(
        { ...card, hasRisk, sellerState: 'active', isOnHold: false, balanceAgeMinutes: 0 },
        terms,
      ) ?? exceededPolicyLimit(terms, card.price, { seller: today(sellerDay), shop: today(card.day) })
    if (reason) {
      stopped.set(reason, (stopped.get(reason) ?? 0) + 1)
      continue
    }
    passed += 1
    price += card.price
    for (const key of [card.day, sellerDay]) approved.set(key, today(key) + card.price)
  }
  const counted = [...stopped].map(([code, cards]) => ({ code, cards }))
  return {
    cards: cards.length,
    passed,
    price,
    stopped: counted.sort((one, other) => other.cards - one.cards),
  }
}

/** The condition about the balance compares it, as for a card of today. */
const notRead = {
  similarPhoto: { count: 0, newest: null },
  deadAccount: null,
  lastBalance: null,
  isQuotedPrice: true,
} satisfies Partial<RiskFacts>

type EarlierFacts = Omit<PolicyFacts, 'hasRisk' | 'sellerState' | 'isOnHold' | 'balanceAgeMinutes'> &
  Omit<RiskFacts, keyof typeof notRead> & { sellerId: string; day: string; price: number }

/** Oldest first. Reads the cards of each seller and account once, because some have many. */
async function readEarlierFacts(db: Executor): Promise<EarlierFacts[]> {
  const before = sql`other.id < own.id and other.cleared_at is null`
  const newSince = sql`own.created_at - make_interval(hours => ${NEW_HOURS})`
  const failedSince = sql`own.created_at - make_interval(days => ${FAILED_CARD_DAYS})`
  const times = (statuses: readonly Status[]) => sql`
    coalesce(array_agg(updated_at order by updated_at) filter (where status in (${statusList(statuses)})), '{}')`
  const { rows } = await db.execute<EarlierFacts & Record<string, unknown>>(sql`
    with own as materialized (select * from gift_cards order by id desc limit ${CARDS}), sellers as materialized (
      select seller_id, ${times(['completed'])} as completed, ${times(['rejected', 'failed'])} as failed
      from gift_cards where seller_id in (select seller_id from own) group by seller_id
    ), accounts as materialized (
      select payment_account_index, seller_id, min(created_at) as since
      from gift_cards where payment_account_index in (select payment_account_index from own)
      group by payment_account_index, seller_id
    )
    select
      own.seller_id as "sellerId",
      own.created_at::date::text as day,
      own.quoted_price::float8 as price,
      own.brand,
      own.denomination::float8 as "faceValue",
      floor(extract(epoch from own.created_at - users.created_at) / 86400)::integer as "accountAgeDays",
      width_bucket(own.created_at, sellers.completed) as "completedSales",
      users.verified as "isEmailConfirmed",
      width_bucket(own.created_at, sellers.failed) > width_bucket(${failedSince}, sellers.failed) or exists (
        select from inventory where seller_id = own.seller_id and state = 'bad'
          and left_at between ${failedSince} and own.created_at
      ) as "hasFailedCard",
      own.payment_account_index is not null and not exists (
        select from accounts
        where accounts.payment_account_index = own.payment_account_index and accounts.seller_id = own.seller_id
          and since < ${newSince}
      ) or exists (
        select from payment_methods where user_id = own.seller_id and created_at between ${newSince} and own.created_at
      ) as "isNewAccount",
      exists (
        select from known_browsers where account_id = own.seller_id and known_since between ${newSince} and own.created_at
      ) as "isNewBrowser",
      coalesce(users.credentials_changed_at between ${newSince} and own.created_at, false) as "hasNewCredentials",
      coalesce((
        select amount from balance_checks where gift_card_id = own.id order by source <> 'connector', id limit 1
      ), own.denomination)::float8 as balance,
      false as "isBalanceDoubted",
      (
        select json_build_object('id', other.id, 'daysAgo', 0) from gift_cards other
        where other.card_number_index = own.card_number_index and ${before} and other.status in ('processing', 'completed')
        limit 1
      ) as bought,
      (
        select json_build_object('count', count(*), 'newest', null) from gift_cards other
        where other.card_number_index = own.card_number_index and ${before} and other.updated_at > own.created_at
      ) as "sameNumber",
      (
        select count(*)::integer from accounts
        where accounts.payment_account_index = own.payment_account_index and accounts.seller_id <> own.seller_id
          and since < own.created_at
      ) as "accountSellers",
      own.payment_account_name as "holderName",
      users.first_name || ' ' || users.last_name as "sellerName",
      (
        select count(*)::integer from (
          select created_at from gift_cards other where other.seller_id = own.seller_id and other.id <= own.id
            and cleared_at is null
          order by id desc limit ${MANY_CARDS.cards}
        ) as latest
        where latest.created_at > own.created_at - make_interval(hours => ${MANY_CARDS.hours})
      ) as "cardsAround",
      own.expiration_date as "expirationDate",
      own.unlisted_brand as "isUnlistedBrand"
    from own join sellers using (seller_id)
    join users on users.id = own.seller_id
    where users.deleted_at is null
    order by own.id`)
  return rows
}
