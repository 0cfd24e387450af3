import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { RiskAnswer } from '#contract/staff-submissions.ts'
import { BALANCE_CHECK_HOURS } from '#domain/balance.ts'
import { toShortDollars } from '#domain/money.ts'
import {
  blocksMove,
  commitsToPay,
  findRisks,
  MANY_CARDS,
  type Risk,
  type RiskCode,
  type RiskFacts,
  shortfall,
} from '#domain/risk.ts'
import { type Move, openOrPaidStatuses, openStatuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { deadAccount } from '#server/features/books/dead-accounts.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { executePrepared, keepPrepared, onlyRow } from '#server/platform/database/queries.ts'
import { administrators, giftCards, riskAcknowledgements } from '#server/platform/database/schema.ts'
import type { Translate } from '#words/translate.ts'
import { similarPhotos } from '../duplicates.ts'
import { type CardRow, statusList } from '../queries.ts'
import { openText, type Reader } from '../reasons.ts'
import { acknowledgementContext } from '../secrets.ts'

/** Maximum submissions that are counted for one risk. */
const MAX_COUNTED = 1000

/** The risks of a submission, heaviest first, each with its latest acknowledgement. */
export async function readRisks(
  db: Executor,
  context: Context,
  reader: Reader,
  card: Pick<CardRow, 'id' | 'dataKey' | 'secretsErasedAt'>,
): Promise<RiskAnswer[]> {
  const [risks, acknowledged] = await Promise.all([
    findAllRisks(db, card.id),
    listAcknowledgements(db, card.id),
  ])
  return risks.map((risk) => {
    const { code, blocking, submissionId } = risk
    const found = acknowledged.find(isFor(risk))
    return {
      code,
      blocking,
      message: sentence(context.words.en, risk),
      submissionId,
      acknowledged: found ? toAcknowledged(context, reader, card, found) : null,
    }
  })
}

/** Heaviest first, acknowledged ones included. */
export async function findAllRisks(db: Executor, id: string): Promise<Risk[]> {
  const [facts, similarPhoto] = await Promise.all([readFacts(db, id), countSimilarPhotos(db, id)])
  return findRisks({ ...facts, similarPhoto })
}

/**
 * Refuses to approve or pay a submission with a blocking risk that nobody has acknowledged, or without a recent balance check if
 * the shop requires one. Until the transaction ends, no other submission of the same number can be approved.
 */
export async function requireSafeApproval(
  tx: Transaction,
  { site }: Pick<Context, 'site'>,
  { id, denomination }: Pick<CardRow, 'id' | 'denomination'>,
  move: Move,
): Promise<void> {
  if (!commitsToPay(move)) return
  const open = await findOpenRisk(tx, id)
  if (open && blocksMove(open.code, move)) {
    throw new Refusal('risk_not_acknowledged', 'refusals.risk_not_acknowledged', {
      params: (t) => ({ risk: sentence(t, open) }),
    })
  }
  const { balanceCheckAbove } = site
  if (balanceCheckAbove === undefined || denomination <= balanceCheckAbove) return
  const isUnchecked = and(eq(giftCards.id, id), needsBalanceCheck(site))
  if ((await tx.$count(giftCards, isUnchecked)) === 0) return
  const isApproved = move.from === 'processing'
  throw new Refusal(
    'balance_check_needed',
    isApproved ? 'refusals.balance_check_needed_to_pay' : 'refusals.balance_check_needed',
    { params: { above: toShortDollars(balanceCheckAbove), hours: BALANCE_CHECK_HOURS } },
  )
}

/**
 * The heaviest blocking risk that nobody has acknowledged. Until the transaction ends, no other submission of the same number
 * can be approved.
 */
export async function findOpenRisk(
  tx: Transaction,
  id: string,
): Promise<Pick<Risk, 'code' | 'params'> | undefined> {
  const [, { rows }] = await Promise.all([
    lockNumber(tx, id),
    executePrepared<{ days: number | null; balance: number | null; faceValue: number }>(
      tx,
      'open_risk',
      sql`
      select
        (select ${daysSince(sql`bought.updated_at`)} from ${openBought(sql.raw('own'))}) as days,
        (select amount::float8 from ${openLowBalance(sql.raw('own'))}) as balance,
        own.denomination::float8 as "faceValue"
      from gift_cards own where own.id = ${id}`,
    ),
  ])
  const { days, balance, faceValue } = onlyRow(rows)
  if (days !== null) return { code: BOUGHT, params: { days } }
  return balance === null ? undefined : { code: LOW_BALANCE, params: shortfall(balance, faceValue) }
}

function sentence(t: Translate, { code, params }: Pick<Risk, 'code' | 'params'>): string {
  return t(`risks.${code}`, params)
}

/** If two submissions of one number are approved at once, the second must see that the first was. */
export async function lockNumber(tx: Transaction, id: string): Promise<void> {
  await executePrepared(
    tx,
    'lock_number',
    sql`select pg_advisory_xact_lock(hashtextextended('card number ' || encode(card_number_index, 'hex'), 0))
      from gift_cards where id = ${id} and card_number_index is not null`,
  )
}

/**
 * Whether the shop requires a balance check and there is none of the last hours, for queries of gift_cards. The values are literals,
 * so that queries can group by it.
 */
export function needsBalanceCheck({ balanceCheckAbove }: Pick<Context['site'], 'balanceCheckAbove'>) {
  const above = sql.raw(String(balanceCheckAbove ?? Number.MAX_SAFE_INTEGER))
  return sql<boolean>`(
    gift_cards.denomination > ${above} and not exists (
      select from balance_checks where balance_checks.gift_card_id = gift_cards.id
        and at > now() - interval '${sql.raw(String(BALANCE_CHECK_HOURS))} hours'
    )
  )`
}

/** The submission of the same number that was bought last, for a query of gift_cards under the name `own`. */
const boughtLast = (own: SQL) => sql`
  select other.id, other.updated_at from gift_cards other
  where other.card_number_index = ${own}.card_number_index and other.id <> ${own}.id and other.cleared_at is null
    and (
      other.status = 'completed'
      or other.status = 'processing' and (
        ${own}.status <> 'processing'
        -- Of two that were approved without an acknowledgement, the older one may be paid.
        or other.id < ${own}.id and not exists (
          select from risk_acknowledgements where gift_card_id = other.id and other_id = ${own}.id
        )
      )
    )
  order by other.updated_at desc limit 1`

const BOUGHT: RiskCode = 'same_number_completed'
const LOW_BALANCE: RiskCode = 'low_balance'

/** The submission of the same number that was bought last, if nobody has acknowledged it. */
const openBought = (own: SQL) => sql`(
  select bought.* from (${boughtLast(own)}) as bought
  where not exists (
    select from risk_acknowledgements
    where gift_card_id = ${own}.id and other_id = bought.id and code = ${sql.raw(`'${BOUGHT}'`)}
  )
) as bought`

const newestBalance = (own: SQL) => sql`
  select amount, at from balance_checks where balance_checks.gift_card_id = ${own}.id order by balance_checks.id desc limit 1`

/** The newest balance, if it is too low for the quoted price and nobody has acknowledged it since. */
const openLowBalance = (own: SQL) => sql`(
  select found.amount from (${newestBalance(own)}) as found
  where found.amount < ${own}.denomination and ${own}.selling_price = ${own}.quoted_price and not exists (
    select from risk_acknowledgements
    where gift_card_id = ${own}.id and code = ${sql.raw(`'${LOW_BALANCE}'`)} and risk_acknowledgements.at >= found.at
  )
) as low_balance`

/** The same as `findOpenRisk` for queries of gift_cards. */
export const hasOpenRisk = sql<boolean>`(
  exists (select from ${openBought(sql.raw('gift_cards'))}) or exists (select from ${openLowBalance(sql.raw('gift_cards'))})
)`

const daysSince = (time: SQL) => sql`greatest(0, floor(extract(epoch from now() - ${time}) / 86400))::integer`

type OwnFacts = Omit<RiskFacts, 'similarPhoto'>

/** Every subquery reads one index, and at most `MAX_COUNTED` rows of it. */
async function readFacts(db: Executor, id: string): Promise<OwnFacts> {
  const hours = sql.raw(String(MANY_CARDS.hours))
  const { rows } = await executePrepared<OwnFacts>(
    db,
    'risk_facts',
    sql`
    select
      (
        select json_build_object('id', id, 'daysAgo', ${daysSince(sql`updated_at`)})
        from (${boughtLast(sql.raw('own'))}) as bought
      ) as bought,
      (
        select json_build_object('count', count(*), 'newest', (array_agg(other.id order by other.id desc))[1])
        from gift_cards other
        where other.card_number_index = own.card_number_index and other.id <> own.id and other.cleared_at is null
          and other.status in (${statusList(openStatuses)})
      ) as "sameNumber",
      (
        select (count(distinct other.seller_id) filter (where other.seller_id <> own.seller_id))::integer
        from (
          select seller_id from gift_cards
          where payment_account_index = own.payment_account_index and cleared_at is null
          order by id desc limit ${MAX_COUNTED}
        ) as other
      ) as "accountSellers",
      ${deadAccount(sql.raw('own'))} as "deadAccount",
      (
        select count(*)::integer from (
          (
            select created_at from gift_cards
            where seller_id = own.seller_id and cleared_at is null and id <= own.id order by id desc limit ${MAX_COUNTED}
          ) union all (
            select created_at from gift_cards
            where seller_id = own.seller_id and cleared_at is null and id > own.id order by id limit ${MAX_COUNTED}
          )
        ) as other
        where other.created_at between own.created_at - interval '${hours} hours'
          and own.created_at + interval '${hours} hours'
      ) as "cardsAround",
      own.payment_account_name as "holderName",
      users.first_name || ' ' || users.last_name as "sellerName",
      own.denomination::float8 as "faceValue",
      own.expiration_date as "expirationDate",
      (
        select json_build_object('amount', amount, 'at', at) from (${newestBalance(sql.raw('own'))}) as found
      ) as "lastBalance",
      own.selling_price = own.quoted_price as "isQuotedPrice",
      floor(extract(epoch from own.created_at - users.created_at) / 86400)::integer as "accountAgeDays",
      own.unlisted_brand as "isUnlistedBrand",
      users.verified as "isEmailConfirmed"
    from gift_cards own join users on users.id = own.seller_id
    where own.id = ${id}`,
  )
  const [facts] = rows
  if (!facts) throw new Error('The submission is gone')
  return facts
}

/** Ignores the same seller's rejected and withdrawn submissions, because we ask sellers to send a card again. */
async function countSimilarPhotos(db: Executor, id: string): Promise<RiskFacts['similarPhoto']> {
  const { rows } = await executePrepared<{ id: string }>(
    db,
    'similar_photos',
    sql`
    select other.id
    from (${similarPhotos([id])}) as similar_photo
    join gift_cards other on other.id = similar_photo.id
    join gift_cards own on own.id = ${id}
    where other.cleared_at is null
      and (other.seller_id <> own.seller_id or other.status in (${statusList(openOrPaidStatuses)}))
    order by other.id desc`,
  )
  return { count: rows.length, newest: rows[0]?.id ?? null }
}

type Acknowledgement = Awaited<ReturnType<typeof listAcknowledgements>>[number]

/** Newest first. */
async function listAcknowledgements(db: Executor, giftCardId: string) {
  const { id, code, otherId, sealedReason, at } = riskAcknowledgements
  const prepare = (name: string) =>
    db
      .select({ id, code, otherId, sealedReason, at, by: administrators.username })
      .from(riskAcknowledgements)
      .innerJoin(administrators, eq(administrators.id, riskAcknowledgements.byId))
      .where(eq(riskAcknowledgements.giftCardId, sql.placeholder('giftCardId')))
      .orderBy(desc(id))
      .prepare(name)
  return await keepPrepared(db, 'risk_acknowledgements', prepare).execute({ giftCardId })
}

/** The same risk from another submission or a newer balance has to be acknowledged again. */
const isFor = (risk: Risk) => (found: Acknowledgement) =>
  found.code === risk.code &&
  found.otherId === risk.submissionId &&
  (!risk.since || found.at >= new Date(risk.since))

function toAcknowledged(
  context: Context,
  reader: Reader,
  card: Pick<CardRow, 'id' | 'dataKey' | 'secretsErasedAt'>,
  { id, sealedReason, by, at }: Acknowledgement,
): RiskAnswer['acknowledged'] {
  const reason = openText(context, context.words.en, reader, card, acknowledgementContext(id), sealedReason)
  return { by, at, reason }
}
