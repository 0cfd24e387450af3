import { and, eq, getTableColumns, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { PolicyDecisionAnswer } from '#contract/policies.ts'
import type { ClaimAnswer, SubmissionAnswer } from '#contract/staff-submissions.ts'
import type { Page } from '#contract/values.ts'
import { openOrPaidStatuses } from '#domain/submission.ts'
import type { Payout } from '#server/features/books/payouts.ts'
import { isCurrentClaim } from '#server/features/claims/actions.ts'
import { databaseTime } from '#server/platform/database/clock.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { jsonObject, keepPrepared, onlyRow } from '#server/platform/database/queries.ts'
import { giftCards, users } from '#server/platform/database/schema.ts'
import { mustConfirm } from '#server/platform/mail/letter.ts'
import { isAskable, latestRequest } from '../balance-requests.ts'
import { isOnHold } from '../holds.ts'
import { needsAccount, photoNames, statusList, statusReason } from '../queries.ts'
import { latestCheck } from './balance-checks.ts'
import { findPage, type StaffFilter, totalOf } from './search.ts'

/**
 * Whether another submission, open or paid, has the same card number. Rejected and withdrawn ones don't count, because we
 * ask sellers to send a card again after a blurry photo.
 */
const possibleDuplicate = sql<boolean>`exists (
  select 1 from gift_cards other
  where other.card_number_index = ${giftCards.cardNumberIndex}
    and other.id <> ${giftCards.id}
    and other.cleared_at is null
    and other.status in (${statusList(openOrPaidStatuses)})
)`

/** The current claim. */
const claimedBy = jsonObject<ClaimAnswer>(
  sql`(
    select json_build_object(
      'id', administrators.id, 'username', administrators.username, 'since', claims.since, 'until', claims.until,
      'assignedBy', (select username from administrators where id = claims.assigned_by)
    )
    from claims join administrators on administrators.id = claims.administrator_id
    where claims.gift_card_id = ${giftCards.id} and ${isCurrentClaim}
  )`,
  'since',
  'until',
)

const latestPayout = jsonObject<
  Pick<Payout, 'id' | 'number' | 'state' | 'reference' | 'sentAt'> & { waitsUntil: Date | null }
>(
  sql`(
    select json_build_object(
      'id', id, 'number', number, 'state', state, 'reference', reference, 'sentAt', sent_at,
      'waitsUntil', case when state = 'due' and batchable_at > now() then batchable_at end
    )
    from payouts where payouts.gift_card_id = gift_cards.id and (state <> 'void' or not by_hand)
    order by number desc limit 1
  )`,
  'sentAt',
  'waitsUntil',
)

/** What each policy said last. */
const policyDecisions = sql<PolicyDecisionAnswer[] | null>`(
  select json_agg(json_build_object(
    'policyId', said.policy_id, 'version', said.policy_version, 'name', policies.name, 'outcome', outcome, 'reason', reason, 'at', said.at
  ) order by said.id desc)
  from policy_decisions said join policies on policies.id = policy_id and policies.version = policy_version
  where said.gift_card_id = gift_cards.id
)`.mapWith((said: PolicyDecisionAnswer[]) => said.map((one) => ({ ...one, at: new Date(one.at) })))

type PlaceInSale = NonNullable<SubmissionAnswer['sale']>

/** Which card of its sale it is, and its neighbors. A sale has few cards, which are read by their index. */
const sale = sql<PlaceInSale | null>`(
  select json_build_object(
    'position', count(*) filter (where other.sale_position <= gift_cards.sale_position),
    'count', count(*),
    'previousId', (array_agg(other.id order by other.sale_position desc)
      filter (where other.sale_position < gift_cards.sale_position))[1],
    'nextId', (array_agg(other.id order by other.sale_position)
      filter (where other.sale_position > gift_cards.sale_position))[1],
    'ids', array_agg(other.id order by other.sale_position)
  )
  from gift_cards other
  where other.sale_id = gift_cards.sale_id and other.cleared_at is null
  having count(*) > 0
)`

const seller = {
  id: users.id,
  username: users.username,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  phoneNumber: users.phoneNumber,
  createdAt: users.createdAt,
  verified: users.verified,
  mustConfirmEmail: mustConfirm,
  state: users.state,
  locale: users.locale,
}

/** Everything that staff see, and the data key, which opens the reason. The other sealed columns are not read. */
const {
  cardNumber,
  cardNumberIndex,
  securityCode,
  paymentAccountInfo,
  paymentAccountIndex,
  paymentRoutingNumber,
  paymentAccountNumber,
  searchText,
  ...shownColumns
} = getTableColumns(giftCards)
const card = { ...shownColumns, hasSecurityCode: sql<boolean>`${securityCode} is not null` }

export type StaffCardRow = NonNullable<Awaited<ReturnType<typeof findStaffCard>>>

const staffColumns = {
  card,
  seller,
  photoNames,
  statusReason,
  possibleDuplicate,
  balanceCheck: latestCheck,
  balanceRequest: latestRequest,
  isBalanceAskable: isAskable,
  policyDecisions,
  payout: latestPayout,
  needsAccount,
  claimedBy,
  sale,
  onHold: isOnHold,
}

/** A page, newest first, with one row more than the limit if there are more, and the total. */
export async function listStaffCards(db: Executor, page: StaffFilter & Page) {
  const { found, order, name, values, total } = await findPage(db, page)
  const prepare = (statement: string) =>
    db
      .select({ ...staffColumns, total: sql<number>`found.total` })
      .from(giftCards)
      .innerJoin(users, eq(users.id, giftCards.sellerId))
      .innerJoin(found, sql`found.id = ${giftCards.id}`)
      .orderBy(order)
      .prepare(statement)
  const rows = await keepPrepared(db, name && `staff_cards_${name}`, prepare).execute(values)
  return { rows, total: await totalOf(db, rows, { total, cursor: page.cursor }) }
}

/** What a move may change of the payout of a locked submission. */
export async function findPayoutFacts(tx: Transaction, id: string) {
  const prepare = (name: string) =>
    tx
      .select({ payout: latestPayout, needsAccount })
      .from(giftCards)
      .where(eq(giftCards.id, sql.placeholder('id')))
      .prepare(name)
  return onlyRow(await keepPrepared(tx, 'payout_facts', prepare).execute({ id }))
}

const isCard = (id: string | SQLWrapper) => and(eq(giftCards.id, id), isNull(giftCards.clearedAt))

export async function findStaffCard(db: Executor, id: string) {
  const [row] = await db
    .select(staffColumns)
    .from(giftCards)
    .innerJoin(users, eq(users.id, giftCards.sellerId))
    .where(isCard(id))
  return row
}

/** The same, locked until the transaction ends, so that only one decision is made at a time. */
export async function lockStaffCard(tx: Transaction, id: string) {
  const prepare = (name: string) =>
    tx
      .select({ ...staffColumns, card: { ...card, lockedAt: databaseTime } })
      .from(giftCards)
      .innerJoin(users, eq(users.id, giftCards.sellerId))
      .where(isCard(sql.placeholder('id')))
      .for('update', { of: giftCards })
      .prepare(name)
  const [row] = await keepPrepared(tx, 'lock_staff_card', prepare).execute({ id })
  return row
}
