import { and, asc, desc, eq, getTableColumns, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { BatchAnswer, BatchList } from '#contract/payouts.ts'
import { mayMoveBatch, unfinishedBatchStates } from '#domain/payout.ts'
import type { PayoutLimits } from '#domain/payout-limits.ts'
import { needsTwoApprovals, releasersOf } from '#domain/payout-limits.ts'
import { rolesThatMay } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { hasCameBack } from '#server/features/books/dead-accounts.ts'
import { countEntries, leadsPayment } from '#server/features/books/entries.ts'
import { findLimitRefusal } from '#server/features/books/limits.ts'
import { countRows } from '#server/http/paging.ts'
import { valuesOf } from '#server/http/refusal.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { administrators, payoutBatches, payouts } from '#server/platform/database/schema.ts'
import { countProblems } from './batchable.ts'
import { bankDayAfter, easternTime, nextCutoff, nextSameDayCutoff, sameDayOf } from './files/bank-days.ts'
import { paidTwice } from './provider/paid-late.ts'
import { providerOf } from './provider-of.ts'

const { sealedFile, dataKey, ...plainColumns } = getTableColumns(payoutBatches)

// Columns are plain text, because drizzle omits the table's name when a query reads only one table.
const nameOf = (
  column: `${'created' | 'frozen' | 'approved' | 'released' | 'exported' | 'rejection_reported' | 'rejected' | 'settled'}_by`,
) => sql<string | null>`(
  select username from administrators where administrators.id = payout_batches.${sql.identifier(column)}
)`
const countIn = (state: 'paid' | 'returned') =>
  sql`(
  select count(*) from payouts where payouts.batch_id = payout_batches.id and payouts.state = ${state}
)`.mapWith(Number)

const listedColumns = {
  ...plainColumns,
  createdBy: nameOf('created_by'),
  frozenBy: nameOf('frozen_by'),
  approvedBy: nameOf('approved_by'),
  releasedBy: nameOf('released_by'),
  exportedBy: nameOf('exported_by'),
  rejectionReportedBy: nameOf('rejection_reported_by'),
  rejectedBy: nameOf('rejected_by'),
  settledBy: nameOf('settled_by'),
  paymentCount: sql`case
    when not one_per_seller then count
    when state = 'open' then ${countEntries}
    else (select count(*) from payouts where payouts.batch_id = payout_batches.id and ${leadsPayment})
  end`.mapWith(Number),
  policies: sql<{ name: string; version: number }[]>`(
    select coalesce(json_agg(distinct jsonb_build_object('name', policies.name, 'version', policies.version)), '[]')
    from payouts join policy_decisions on policy_decisions.gift_card_id = payouts.gift_card_id and outcome = 'approved'
    join policies on policies.id = policy_id and policies.version = policy_version
    where payout_batches.created_by is null and payouts.batch_id = payout_batches.id
  )`,
  cameBackCount: sql`(
    select count(*) from payouts where payouts.batch_id = payout_batches.id and ${hasCameBack}
  )`.mapWith(Number),
  openTotal: sql`(
    select coalesce(sum(amount), 0) from payouts
    where payouts.batch_id = payout_batches.id and payouts.state not in ('paid', 'returned')
  )`.mapWith(Number),
  paidCount: countIn('paid'),
  paidTwice,
  returnedCount: countIn('returned'),
}

type BatchRow = NonNullable<Awaited<ReturnType<typeof findBatch>>>

export async function findBatch(db: Executor, id: string) {
  const [row] = await db.select(listedColumns).from(payoutBatches).where(eq(payoutBatches.id, id))
  return row
}

/** A page of batches, newest first, or unfinished ones oldest first. With one row more than the limit if there are more, and the total. */
export async function listBatches(db: Executor, { limit, cursor, state, unfinished }: BatchList) {
  const { number } = payoutBatches
  const matches = and(
    state && eq(payoutBatches.state, state),
    unfinished && inArray(payoutBatches.state, [...unfinishedBatchStates]),
  )
  const [after, order] = unfinished ? [gt, asc] : [lt, desc]
  const [rows, total] = await Promise.all([
    db
      .select(listedColumns)
      .from(payoutBatches)
      .where(and(matches, cursor === undefined ? undefined : after(number, cursor)))
      .orderBy(order(number))
      .limit(limit + 1),
    countRows(db, payoutBatches, matches),
  ])
  return { rows, total }
}

/** Why a batch that is not released yet is above a limit now. */
async function findLimitProblem(
  { db, site, words }: BatchContext,
  { id, state, total }: BatchRow,
): Promise<string | null> {
  const { limits = {} } = site.payouts
  if (!isUnreleased({ state })) return null
  const refusal = await findLimitRefusal(db, limits, await leavingOf(db, limits, { id, total }))
  return refusal ? words.en(refusal.key, valuesOf(refusal.params, words.en)) : null
}

/** The next cut-off for a batch of bank transfers that was not exported. One that was released for today keeps that of today. */
function cutoffOf({ site }: BatchContext, { fileKind, state, sameDay }: BatchRow): BatchAnswer['cutoff'] {
  if (fileKind !== 'nacha' || !mayMoveBatch(state, 'void')) return null
  const { nacha } = site.payouts
  const now = new Date()
  const isToday = sameDay && sameDayOf(now, nacha) !== undefined
  return (isToday && nextSameDayCutoff(now, nacha)) || nextCutoff(now, nacha)
}

function sameDayCutoffOf(
  { site }: BatchContext,
  { fileKind, state }: BatchRow,
): BatchAnswer['sameDayCutoff'] {
  if (fileKind !== 'nacha' || !isUnreleased({ state })) return null
  return nextSameDayCutoff(new Date(), site.payouts.nacha) ?? null
}

/** Banking days after the expected day in which a batch should be on the statement. */
const SETTLED_WITHIN = 2

const isUnreleased = ({ state }: Pick<BatchRow, 'state'>): boolean => state === 'open' || state === 'frozen'

const isReleased = ({ releasedAt }: BatchRow): boolean => releasedAt !== null

function isLate({ state, expectedOn, exportedAt, provider }: BatchRow): boolean {
  if (state !== 'exported' || !exportedAt || provider) return false
  const expected = expectedOn ?? easternTime(exportedAt).day
  return easternTime(new Date()).day > bankDayAfter(expected, SETTLED_WITHIN)
}

/** What a batch would send. Its largest payout is only read if there is a limit for one. */
export async function leavingOf(
  db: Executor,
  { perPayout }: PayoutLimits,
  { id, total }: { readonly id: string; readonly total: number },
) {
  if (perPayout === undefined) return { largest: 0, total, isBatch: true }
  const [found] = await db
    .select({ largest: sql`coalesce(max(${payouts.amount}), 0)`.mapWith(Number) })
    .from(payouts)
    .where(eq(payouts.batchId, id))
  return { largest: found?.largest ?? 0, total, isBatch: true }
}

/** The usernames of everybody who may pay. */
async function listPayers(db: Executor): Promise<string[]> {
  const found = await db
    .select({ username: administrators.username })
    .from(administrators)
    .where(mayPay)
    .orderBy(asc(administrators.username))
  return found.map(({ username }) => username)
}

export const mayPay = and(
  isNull(administrators.disabledAt),
  inArray(administrators.role, rolesThatMay('release_batches')),
)

export type BatchContext = Pick<Context, 'site' | 'words' | 'payoutProvider'> & { readonly db: Executor }

export async function toBatch(context: BatchContext, row: BatchRow): Promise<BatchAnswer> {
  const { paymentTypes } = row
  const { alwaysTwoPersons, limits = {} } = context.site.payouts
  const needsTwo = needsTwoApprovals(limits, row.total)
  const isDecided = !isUnreleased(row) && !(row.rejectionReportedBy && !row.rejectedBy)
  const payers = isDecided ? [] : await listPayers(context.db)
  return {
    ...row,
    paymentType: paymentTypes.length === 1 ? (paymentTypes[0] ?? null) : null,
    file: row.fileKind,
    needsTwoApprovals: needsTwo,
    twoApprovalsAbove: limits.secondApprovalAbove ?? null,
    needsOtherToFreeze: alwaysTwoPersons,
    payers,
    releasers: row.state === 'frozen' ? [...releasersOf(row, payers, { needsTwo, alwaysTwoPersons })] : [],
    limitProblem: await findLimitProblem(context, row),
    problemCount: isUnreleased(row) ? await countProblems(context.db, context.site, row.id) : 0,
    isLate: isLate(row),
    sentBy: isReleased(row) ? row.provider : (providerOf(context, row.fileKind)?.name ?? null),
    sameDayCutoff: sameDayCutoffOf(context, row),
    cutoff: cutoffOf(context, row),
  }
}
