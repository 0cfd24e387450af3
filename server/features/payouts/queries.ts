import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PayoutAnswer, PayoutList } from '#contract/payouts.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import type { AccountType, PaymentType } from '#domain/payment-methods.ts'
import {
  type BatchProblem,
  batchProblem,
  closesItself,
  type FileKind,
  fileKindOf,
  type PayoutState,
  type PrenoteState,
  type ReleasedProblem,
  releasedProblem,
  type VoidReason,
} from '#domain/payout.ts'
import { type SellerState, sellerStateRules } from '#domain/seller-state.ts'
import type { HistoryName } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import {
  bankReason,
  cameBack,
  deadAccount,
  hasCameBack,
  isAccountDead,
} from '#server/features/books/dead-accounts.ts'
import { isPaidBefore, returnReasonOf } from '#server/features/books/payouts.ts'
import {
  failedForAccount,
  hasOpenRisk,
  isOnHold,
  needsBalanceCheck,
  openReason,
  type SealingContext,
  type StoredReason,
} from '#server/features/submissions/payout-effects.ts'
import type { Staff } from '#server/http/actor.ts'
import { cappedCount } from '#server/http/paging.ts'
import type { PayoutSettings } from '#server/platform/config/site.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { jsonObject, onlyRow } from '#server/platform/database/queries.ts'
import { giftCards, payoutBatches, payouts, users } from '#server/platform/database/schema.ts'
import type { Translate } from '#words/translate.ts'
import { providerOf } from './provider-of.ts'
import { searchConditions } from './search.ts'

const isAccountNew = sql<boolean>`${payouts.batchableAt} > now()`

const isEmailConfirmed = sql<boolean>`(${users.verified} or ${users.confirmationWaived})`

/** The first move since the payout was created by which its submission was no longer approved. That voids the payout. */
interface VoidingMove {
  readonly move: HistoryName | null
  readonly version: number
  readonly at: Date
  readonly by: string
  readonly code: StoredReason['reasonCode']
  /** Hexadecimal. */
  readonly sealed: string | null
}

const voidingMove = jsonObject<VoidingMove>(
  sql`(case when ${payouts.state} = 'void' then (
    select json_build_object('move', move, 'version', status_history.version, 'at', at,
      'by', coalesce(administrators.username, by_kind), 'code', reason_code, 'sealed', encode(sealed_reason, 'hex'))
    from status_history left join administrators on by_kind = 'staff' and administrators.id = by_id
    where status_history.gift_card_id = ${payouts.giftCardId} and at >= ${payouts.dueAt}
      and from_status in ('processing', 'completed') and to_status not in ('processing', 'completed')
    order by status_history.version limit 1
  ) end)`,
  'at',
)

/** The payout that replaced this one. */
const newerPayout = sql<PayoutAnswer['replacedBy']>`(
  select json_build_object('id', newer.id, 'number', newer.number) from payouts newer
  where newer.gift_card_id = payouts.gift_card_id and newer.number > payouts.number and newer.state <> 'void'
  order by newer.number desc limit 1
)`

/** Whether this payout goes to the account of its submission. A later payout may have another account. */
const isNewest = sql`not exists (
  select from payouts later where later.gift_card_id = payouts.gift_card_id and later.number > payouts.number
    and (later.state <> 'void' or not later.by_hand)
)`

export type Site = Pick<Context['site'], 'balanceCheckAbove'> & {
  readonly payouts: Pick<PayoutSettings, 'prenotes'>
}

/** The prenote of a submission's account whose file was not dissolved or rejected, and that did not come back. */
const validPrenote = sql`prenotes join payout_batches sending on sending.id = prenotes.batch_id
  where prenotes.account_index = gift_cards.payment_account_index
    and prenotes.account_type = gift_cards.payment_account_type
    and prenotes.returned_at is null and sending.state not in ('void', 'rejected')
  order by prenotes.payable_on limit 1`

/**
 * What a payout has to wait for, for queries of payouts with their submissions. An account that a file has paid needs no prenote.
 * An account that was erased or is free text cannot have one.
 */
function prenoteState({ payouts: { prenotes } }: Site) {
  if (!prenotes) return sql<PrenoteState>`('none'::text)`
  return sql<PrenoteState>`(case
    when payouts.payment_type <> 'bank_transfer' or gift_cards.payment_account_index is null
      or gift_cards.payment_routing_number is null or exists (
      select from gift_cards other join payouts sent on sent.gift_card_id = other.id
      where other.payment_type = 'bank_transfer' and other.payment_account_index = gift_cards.payment_account_index
        and other.payment_account_type = gift_cards.payment_account_type
        and sent.payment_type = 'bank_transfer' and sent.state in ('exported', 'paid') and not sent.by_hand
    ) then 'none'
    else coalesce((
      select case when payable_on <= (now() at time zone 'America/New_York')::date then 'none' else 'waiting' end
      from ${validPrenote}
    ), 'needed')
  end)`
}

const factsOf = (site: Site) => ({
  routingNumberSuspect: giftCards.routingNumberSuspect,
  isEmailConfirmed,
  sellerState: users.state,
  isOnHold,
  isPaidBefore,
  isAccountDead,
  isAccountNew,
  hasOpenRisk,
  needsBalanceCheck: needsBalanceCheck(site),
  prenote: prenoteState(site),
})

interface Facts {
  readonly amount: number
  readonly routingNumberSuspect: boolean
  readonly isEmailConfirmed: boolean
  readonly sellerState: SellerState
  readonly isOnHold: boolean
  readonly isPaidBefore: boolean
  readonly isAccountDead: boolean
  readonly isAccountNew: boolean
  readonly hasOpenRisk: boolean
  readonly needsBalanceCheck: boolean
  readonly prenote: PrenoteState
}

const toRuleFacts = ({ sellerState, ...rest }: Facts) => ({
  ...rest,
  isSellerPaid: sellerStateRules[sellerState].isPaid,
})

function problemOf(row: Facts & { readonly state: PayoutState }): BatchProblem | null {
  if (row.state === 'due' || row.state === 'batched') return batchProblem(toRuleFacts(row)) ?? null
  return row.state === 'released' ? (releasedProblem(toRuleFacts(row)) ?? null) : null
}

/** Whether a due payout closes itself. */
export const isClosable = (facts: Facts): boolean => closesItself(toRuleFacts(facts))

function selectPayouts(db: Executor, site: Site) {
  return db
    .select({
      ...getTableColumns(payouts),
      ...factsOf(site),
      brandName: giftCards.brandName,
      voidingMove,
      needsAccount: sql<boolean>`(${payouts.state} = 'void' and ${failedForAccount})`,
      replacedBy: newerPayout,
      batchState: payoutBatches.state,
      batchProvider: payoutBatches.provider,
      clearedAt: giftCards.clearedAt,
      dataKey: giftCards.dataKey,
      secretsErasedAt: giftCards.secretsErasedAt,
      username: users.username,
      locale: users.locale,
      sellerDeletedAt: users.deletedAt,
      accountName: sql<string | null>`case when ${isNewest} then ${giftCards.paymentAccountName} end`,
      accountType: sql<AccountType | null>`case when ${isNewest} then ${giftCards.paymentAccountType} end`,
      batchNumber: payoutBatches.number,
      expectedOn: payoutBatches.expectedOn,
      paidBefore: jsonObject<NonNullable<PayoutAnswer['paidBefore']>>(
        sql`(
          select json_build_object('reference', reverted_reference, 'sentAt', reverted_sent_at, 'notSentAt', not_sent_at,
            'abandonedBatch', (
              select number from payout_batches where id = reverted.batch_id and state = 'rejected' and provider_batch_id is not null
            ))
          from payouts reverted where reverted.gift_card_id = gift_cards.id and reverted.reverted_sent_at is not null
          order by reverted_sent_at desc limit 1
        )`,
        'sentAt',
        'notSentAt',
      ),
      deadAccount: deadAccount(),
      cameBack,
      sentPrenote: jsonObject<NonNullable<PayoutAnswer['prenote']>>(
        site.payouts.prenotes
          ? sql`(select json_build_object('sentAt', sending.exported_at, 'payableOn', prenotes.payable_on) from ${validPrenote})`
          : sql`null`,
        'sentAt',
      ),
      changeCode: sql<string | null>`(
        select code from payout_results
        where payout_results.payout_id = payouts.id and kind = 'changed' order by at desc limit 1
      )`,
    })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .$dynamic()
}

export type PayoutRow = Awaited<ReturnType<typeof selectPayouts>>[number]

export async function findPayout(db: Executor, site: Site, id: string): Promise<PayoutRow | undefined> {
  const [row] = await selectPayouts(db, site).where(eq(payouts.id, id))
  return row
}

/** Payouts that have been due for some seconds and send nothing. */
export async function listUnsent(db: Executor, site: Site, seconds: number): Promise<PayoutRow[]> {
  return selectPayouts(db, site).where(
    sql`${payouts.state} = 'due' and ${payouts.amount} = 0
      and ${payouts.dueAt} <= now() - make_interval(secs => ${seconds})`,
  )
}

/** A page of payouts with one row more than the limit if there are more, and the total. */
export async function listPayouts(
  { db, site, keys }: Pick<Context, 'keys'> & { readonly db: Executor; readonly site: Site },
  { role }: Pick<Staff, 'role'>,
  { limit, cursor, q, notReady, ...filter }: PayoutList,
) {
  const order = orderOf(filter)
  const after = cursor === undefined ? sql`` : sql`and ${order.after(cursor)}`
  const stopped = notReady && (await isNotReady(db, site, notReady))
  const reads = (q ? searchConditions(q, keys, role) : [sql`true`]).map(
    (found) => sql`select payouts.number from payouts where ${found} ${narrowed(filter)} ${stopped ?? sql``}`,
  )
  const page = (start: SQL, rows: number) =>
    sql.join(
      reads.map((read) => sql`(${read} ${start} order by ${order.by} limit ${rows})`),
      sql` union `,
    )
  const [rows, counted] = await Promise.all([
    selectPayouts(db, site)
      .where(sql`${payouts.number} in (${page(after, limit + 1)})`)
      .orderBy(order.by)
      .limit(limit + 1),
    db.execute<{ total: number }>(sql`select ${cappedCount(page(sql``, MAX_COUNTED + 1))} as total`),
  ])
  return { rows, total: onlyRow(counted.rows).total }
}

/** Due payouts are oldest first, the payouts of a batch by payment, and all others newest first. */
function orderOf({ state, batchId }: Pick<PayoutList, 'state' | 'batchId'>): Order {
  if (batchId !== undefined) {
    const payment = sql`coalesce(payouts.entry_number, payouts.number)`
    return {
      by: sql`${payment}, payouts.number`,
      after: (cursor) => sql`(${payment}, payouts.number) > (
        select coalesce(last.entry_number, last.number), last.number from payouts last where last.number = ${cursor}
      )`,
    }
  }
  return state === 'due'
    ? { by: sql`payouts.number`, after: (cursor) => sql`payouts.number > ${cursor}` }
    : { by: sql`payouts.number desc`, after: (cursor) => sql`payouts.number < ${cursor}` }
}

interface Order {
  readonly by: SQL
  /** The rows after the last one of the previous page. */
  readonly after: (cursor: number) => SQL
}

function narrowed({
  state,
  paymentType,
  replaced,
  batchId,
}: Omit<PayoutList, 'limit' | 'cursor' | 'q'>): SQL {
  return sql.join(
    [
      state === undefined ? sql`` : sql`and state = ${state}`,
      paymentType === undefined ? sql`` : sql`and payment_type = ${paymentType}`,
      replaced === undefined ? sql`` : sql`and ${newerPayout} is null`,
      batchId === undefined ? sql`` : sql`and batch_id = ${batchId}`,
    ],
    sql` `,
  )
}

async function isNotReady(db: Executor, site: Site, kind: FileKind): Promise<SQL> {
  const groups = await groupPayouts(db, site, eq(payouts.state, 'due'))
  const stopped = groups.filter(({ paymentType, problem }) => problem && fileKindOf(paymentType) === kind)
  if (stopped.length === 0) return sql`and false`
  return sql`and payouts.number in (
    select payouts.number from payouts join gift_cards on gift_cards.id = payouts.gift_card_id
      join users on users.id = payouts.seller_id
    where payouts.state = 'due' and ${isOfGroups(site, stopped)}
  )`
}

/** Why the money came back, and what to do if the seller cannot name another account. */
function reasonFor(row: PayoutRow, t: Translate): string | null {
  const reason = returnReasonOf(t, row)
  return reason && row.sellerDeletedAt ? `${reason}. ${t('payouts.returned.deleted')}` : reason
}

const voidReasons: Readonly<Partial<Record<HistoryName, VoidReason>>> = {
  undo: 'undone',
  fail: 'failed',
  recheck: 'rechecked',
}

function voidReasonOf(row: PayoutRow): VoidReason | null {
  const { state, byHand, batchState, batchProvider, voidingMove, clearedAt } = row
  if (state !== 'void') return null
  if (byHand) return 'taken_back'
  if (batchState === 'rejected') return batchProvider ? 'abandoned' : 'file_rejected'
  return voidReasons[voidingMove?.move ?? 'unknown'] ?? (clearedAt ? 'cleared' : null)
}

/** Who made the move that voided a payout, when, and why. The texts of a removed submission are not shown. */
function voidedBy(context: ReadingContext, staff: Staff, row: PayoutRow): PayoutAnswer['voided'] {
  const { giftCardId: id, voidingMove: move } = row
  if (!move || row.byHand || row.batchState === 'rejected') return null
  const stored = {
    reasonCode: move.code,
    sealedReason: move.sealed === null ? null : Buffer.from(move.sealed, 'hex'),
  }
  const reason = row.clearedAt
    ? null
    : openReason(context, context.words.en, staff, { ...row, id }, move.version, stored)
  return { by: move.by, at: move.at, reason, reasonCode: move.code === 'free_text' ? null : move.code }
}

export type ReadingContext = Pick<Context, 'words' | 'site'> & SealingContext

export function toPayout(context: ReadingContext, staff: Staff, row: PayoutRow): PayoutAnswer {
  const t = context.words.en
  const { entryNumber, entryCount, entryTotal, deadAccount, cameBack, dataKey: _, ...shown } = row
  return {
    ...shown,
    submissionId: row.giftCardId,
    account: row.accountHint,
    accountType: row.paymentType === 'bank_transfer' ? row.accountType : null,
    problem: problemOf(row),
    entry:
      entryNumber === null
        ? null
        : { number: entryNumber, count: entryCount ?? 1, total: entryTotal ?? row.amount },
    voidReason: voidReasonOf(row),
    voided: voidedBy(context, staff, row),
    returnReason: reasonFor(row, t),
    deadAccount: deadAccount && { ...deadAccount, reason: bankReason(t, deadAccount) },
    cameBack: cameBack && { ...cameBack, reason: bankReason(t, cameBack) },
    prenote: row.sentPrenote,
  }
}

/** Payouts of one type with the same facts. `amount` is their sum, and `first` the lowest number. */
interface Group extends Facts {
  readonly paymentType: PaymentType
  readonly count: number
  readonly first: number
  readonly problem: BatchProblem | undefined
  /** Why the file must not leave if these are released. */
  readonly releasedProblem: ReleasedProblem | undefined
}

/**
 * Groups payouts by what decides whether they can be in a batch, so that the rules are asked once for thousands of payouts.
 */
export async function groupPayouts(db: Executor, site: Site, where: SQL | undefined): Promise<Group[]> {
  const facts = factsOf(site)
  const rows = await db
    .select({
      ...facts,
      paymentType: payouts.paymentType,
      amount: sql`sum(${payouts.amount})`.mapWith(Number),
      count: sql`count(*)`.mapWith(Number),
      first: sql`min(${payouts.number})`.mapWith(Number),
    })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(where)
    .groupBy(sql`${payouts.amount} > 0`, ...Object.values(facts), payouts.paymentType)
  return rows.map((row) => ({
    ...row,
    problem: batchProblem(toRuleFacts(row)),
    releasedProblem: releasedProblem(toRuleFacts(row)),
  }))
}

/** Whether a payout belongs to one of these groups, for a query of payouts with their submissions and sellers. */
export function isOfGroups(site: Site, groups: readonly Group[]): SQL {
  const tuples = groups.map(
    (group) =>
      sql`(${group.paymentType}, ${group.amount > 0}::boolean, ${group.routingNumberSuspect}::boolean,
        ${group.isEmailConfirmed}::boolean, ${group.sellerState}, ${group.isOnHold}::boolean, ${group.isPaidBefore}::boolean,
        ${group.isAccountDead}::boolean, ${group.isAccountNew}::boolean, ${group.hasOpenRisk}::boolean,
        ${group.needsBalanceCheck}::boolean, ${group.prenote})`,
  )
  return sql`(${payouts.paymentType}, ${payouts.amount} > 0, ${giftCards.routingNumberSuspect}, ${isEmailConfirmed},
    ${users.state}, ${isOnHold}, ${isPaidBefore}, ${isAccountDead}, ${isAccountNew}, ${hasOpenRisk}, ${needsBalanceCheck(site)},
    ${prenoteState(site)}) in (${sql.join(tuples, sql`, `)})`
}

type DueContext = Pick<Context, 'payoutProvider'> & { readonly db: Executor; readonly site: Site }

/** What is due by payment type. Types of which nothing is due are left out. */
export async function sumDue({ db, site, payoutProvider }: DueContext) {
  const isDue = eq(payouts.state, 'due')
  const groups = await groupPayouts(db, site, isDue)
  const back = await db
    .select({ paymentType: payouts.paymentType, count: sql`count(*)`.mapWith(Number) })
    .from(payouts)
    .where(and(isDue, hasCameBack))
    .groupBy(payouts.paymentType)
  const types = [...new Set(groups.map(({ paymentType }) => paymentType))].sort()
  return types.map((paymentType) => {
    const ofType = groups.filter((group) => group.paymentType === paymentType)
    const ready = ofType.filter(({ problem }) => problem === undefined)
    const [all, now] = [sum(ofType), sum(ready)]
    return {
      paymentType,
      file: fileKindOf(paymentType),
      count: all.count,
      total: all.amount,
      readyCount: now.count,
      readyTotal: now.amount,
      unconfirmedCount: sum(ofType.filter(({ problem }) => problem === 'email_unconfirmed')).count,
      cameBackCount: back.find((one) => one.paymentType === paymentType)?.count ?? 0,
      prenoteCount: sum(ofType.filter(({ problem }) => problem === 'prenote_needed')).count,
      sentBy: providerOf({ payoutProvider }, fileKindOf(paymentType))?.name ?? null,
    }
  })
}

function sum(groups: readonly Group[]): { count: number; amount: number } {
  return groups.reduce(
    (total, { count, amount }) => ({ count: total.count + count, amount: total.amount + amount }),
    { count: 0, amount: 0 },
  )
}
