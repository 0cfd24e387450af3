import { sql } from 'drizzle-orm'
import { FAILED_CARD_DAYS, NEW_HOURS, type PolicyFacts } from '#domain/policy.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { findAllRisks, lockNumber } from '../desk/risks.ts'
import { lockState } from '../desk/seller-page/state.ts'
import { isOnHold } from '../holds.ts'
import type { LockedCard } from '../queries.ts'

/** Also when the server last asked the connector, without a person. */
export type DecisionFacts = PolicyFacts & { readonly askedAt: Date | null }

/**
 * What policies decide by, now. Until the transaction ends, no other card of the number is approved, and the state of the seller
 * does not change.
 */
export async function readPolicyFacts(tx: Transaction, card: LockedCard): Promise<DecisionFacts> {
  await lockNumber(tx, card.id)
  const [sellerState, risks, facts] = await Promise.all([
    lockState(tx, card.sellerId),
    findAllRisks(tx, card.id),
    readRows(tx, card.id),
  ])
  const { askedAt, ...found } = facts
  return {
    ...found,
    sellerState,
    // Another condition compares the balance.
    hasRisk: risks.some(({ code }) => code !== 'low_balance'),
    askedAt: askedAt === null ? null : new Date(askedAt),
  }
}

type Row = Omit<PolicyFacts, 'sellerState' | 'hasRisk'> & { readonly askedAt: string | null }

async function readRows(tx: Transaction, id: string): Promise<Row> {
  const newSince = sql`now() - make_interval(hours => ${NEW_HOURS})`
  const failedSince = sql`now() - make_interval(days => ${FAILED_CARD_DAYS})`
  const { rows } = await tx.execute<Row & Record<string, unknown>>(sql`
    select
      brand,
      denomination::float8 as "faceValue",
      floor(extract(epoch from now() - users.created_at) / 86400)::integer as "accountAgeDays",
      users.trade_count as "completedSales",
      users.verified as "isEmailConfirmed",
      exists (
        select from gift_cards other
        where other.seller_id = users.id and other.status in ('rejected', 'failed') and other.updated_at > ${failedSince}
      ) or exists (
        select from inventory where seller_id = users.id and state = 'bad' and left_at > ${failedSince}
      ) as "hasFailedCard",
      ${isOnHold} as "isOnHold",
      not exists (
        select from gift_cards other
        where other.seller_id = users.id and other.payment_account_index = gift_cards.payment_account_index
          and other.created_at < ${newSince}
      ) or exists (
        select from payment_methods where user_id = users.id and created_at > ${newSince}
      ) as "isNewAccount",
      exists (select from known_browsers where account_id = users.id and known_since > ${newSince}) as "isNewBrowser",
      coalesce(users.credentials_changed_at > ${newSince}, false) as "hasNewCredentials",
      latest.amount::float8 as balance,
      -- A balance that a reviewer found counts, and so does an answer that did not know the card.
      coalesce((
        select bool_or(amount < latest.amount) from balance_checks
        where balance_checks.gift_card_id = gift_cards.id and balance_checks.id > latest.id
      ), false) or exists (
        select from balance_requests
        where balance_requests.gift_card_id = gift_cards.id and outcome in ('not_found', 'blocked')
      ) as "isBalanceDoubted",
      (extract(epoch from clock_timestamp() - latest.at) / 60)::float8 as "balanceAgeMinutes",
      (
        select max(asked_at) from balance_requests
        where balance_requests.gift_card_id = gift_cards.id and by_id is null
      ) as "askedAt"
    from gift_cards
    join users on users.id = gift_cards.seller_id
    left join lateral (
      select id, amount, at from balance_checks
      where balance_checks.gift_card_id = gift_cards.id and source = 'connector' order by id desc limit 1
    ) as latest on true
    where gift_cards.id = ${id}`)
  return onlyRow(rows)
}
