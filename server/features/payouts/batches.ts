import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { AuditAction } from '#contract/audit.ts'
import type { BatchAnswer, NewBatch } from '#contract/payouts.ts'
import { toDecimal, toDollars } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import {
  type BatchMoveName,
  batchMoves,
  type FileKind,
  fileKindOf,
  MAX_BATCH,
  mayMoveBatch,
  mayMovePayout,
} from '#domain/payout.ts'
import { approvalProblem, fittingPayouts, needsTwoApprovals } from '#domain/payout-limits.ts'
import { referenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { type AuditDetails, record } from '#server/features/audit/actions.ts'
import { formEntries } from '#server/features/books/entries.ts'
import { requireWithinLimits } from '#server/features/books/limits.ts'
import {
  type Batch,
  batchPayouts,
  dissolveBatch,
  lockBatch,
  releasePayouts,
} from '#server/features/books/payouts.ts'
import { requireNotStopped } from '#server/features/books/stop.ts'
import { idOf, type Staff, type System } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { administrators, giftCards, payoutBatches, payouts, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import { makeFile } from './batch-file.ts'
import { type BatchContext, findBatch, leavingOf, mayPay, toBatch } from './batch-queries.ts'
import { lockSellers, requireAllBatchable, requireBatchable } from './batchable.ts'
import { nextSameDayCutoff, sameDayOf } from './files/bank-days.ts'
import { requireConfigured } from './files/compose.ts'
import { addPrenotes, needsPrenotes } from './prenotes.ts'
import { providerOf } from './provider-of.ts'
import { groupPayouts, isOfGroups } from './queries.ts'

/** Creating, freezing, releasing and dissolving batches. */

export async function readBatch(context: BatchContext, id: string): Promise<BatchAnswer> {
  const row = await findBatch(context.db, id)
  if (!row) throw notFound()
  return toBatch(context, row)
}

export const createBatch = (context: Context, staff: Staff, wanted: NewBatch): Promise<BatchAnswer> =>
  transaction(context.db, (tx) => create(tx, context, staff, wanted))

export const freezeBatch = (context: Context, staff: Staff, id: string): Promise<BatchAnswer> =>
  transaction(context.db, (tx) => freeze(tx, context, staff, id))

export const releaseBatch = (
  context: Context,
  staff: Staff,
  id: string,
  options?: Parameters<typeof release>[4],
): Promise<BatchAnswer> => transaction(context.db, (tx) => release(tx, context, staff, id, options))

/**
 * Puts due payouts into a new batch: those chosen, or all that can be in one, oldest first, up to the maximum. It is empty if payouts
 * only wait for prenotes, which its file will have.
 */
export async function create(
  tx: Transaction,
  context: Context,
  actor: Staff | System,
  { paymentType: paymentTypes, payoutIds, onePerSeller = false }: NewBatch,
): Promise<BatchAnswer> {
  const { site } = context
  const { perDay, ...limits } = site.payouts.limits ?? {}
  const fileKind = commonKind(paymentTypes)
  await requireNotStopped(tx)
  const found = payoutIds
    ? await lockChosen(tx, site, paymentTypes, [...new Set(payoutIds)])
    : await lockReady(tx, site, paymentTypes, MAX_BATCH[fileKind])
  const fitting = fittingPayouts(limits, found)
  const chosen = payoutIds || fitting.length === 0 ? found : fitting
  const count = chosen.length
  if (count === 0 && !(await needsPrenotes(tx, site, fileKind))) throw nothingDue()
  if (count > MAX_BATCH[fileKind]) {
    const params = { maximum: MAX_BATCH[fileKind] }
    throw new Refusal('payout_not_batchable', 'refusals.too_many_payouts', { params })
  }
  const id = uuidv7()
  // A batch of prenotes has no payout.
  const methods =
    count === 0 ? paymentTypes : [...new Set(chosen.map(({ paymentType }) => paymentType))].sort()
  const total = chosen.reduce((sum, { amount }) => sum + amount, 0)
  const largest = chosen.reduce((most, { amount }) => Math.max(most, amount), 0)
  await requireWithinLimits(tx, limits, { largest, total, isBatch: true })
  await tx
    .insert(payoutBatches)
    .values({ id, fileKind, paymentTypes: methods, onePerSeller, count, total, createdBy: idOf(actor) })
  await batchPayouts(
    tx,
    id,
    chosen.map((payout) => payout.id),
  )
  await recordAndTell(tx, actor, id, 'payout_batch.created', {
    paymentTypes: methods,
    ...sizeOf({ count, total }),
    ...(onePerSeller && { onePerSeller }),
  })
  return readBatch({ ...context, db: tx }, id)
}

function commonKind(types: readonly PaymentType[]): FileKind {
  const [kind, other] = new Set(types.map(fileKindOf))
  if (!kind || other) throw invalid([{ path: 'paymentType', code: 'payment_types_mixed' }])
  return kind
}

const nothingDue = () => new Refusal('nothing_due', 'refusals.nothing_due')

type Site = Context['site']

type Chosen = readonly {
  readonly id: string
  readonly amount: number
  readonly paymentType: PaymentType
}[]

/** Skips submissions and payouts that others have locked. */
async function lockReady(
  tx: Transaction,
  site: Site,
  types: readonly PaymentType[],
  limit: number,
): Promise<Chosen> {
  const isDue = and(eq(payouts.state, 'due'), inArray(payouts.paymentType, [...types]))
  const ready = (await groupPayouts(tx, site, isDue)).filter(({ problem }) => problem === undefined)
  if (ready.length === 0) return []
  const found = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(and(isDue, isOfGroups(site, ready)))
    .orderBy(asc(payouts.number))
    .limit(limit)
    .for('key share', { of: giftCards, skipLocked: true })
  const ids = found.map(({ id }) => id)
  return tx
    .select({ id: payouts.id, amount: payouts.amount, paymentType: payouts.paymentType })
    .from(payouts)
    .where(and(isDue, sql`${payouts.id} = any(${sql.param(ids)}::uuid[])`))
    .orderBy(asc(payouts.number))
    .for('update', { skipLocked: true })
}

/** Refuses payouts that cannot be in the batch. */
async function lockChosen(
  tx: Transaction,
  site: Site,
  types: readonly PaymentType[],
  ids: readonly string[],
): Promise<Chosen> {
  const isChosen = sql`${payouts.id} = any(${sql.param(ids)}::uuid[])`
  await tx.execute(sql`
    select from gift_cards where id in (select gift_card_id from payouts where ${isChosen}) order by id for key share`)
  const chosen = await tx.select().from(payouts).where(isChosen).orderBy(asc(payouts.number)).for('update')
  if (chosen.length < ids.length) throw new Refusal('payout_not_batchable', 'refusals.payout_unknown')
  const moved = chosen.find(({ state }) => !mayMovePayout(state, 'batch'))
  if (moved) {
    const params = { reference: referenceOf(moved.giftCardId), state: moved.state }
    throw new Refusal('payout_not_batchable', 'refusals.payout_not_due', { params })
  }
  const other = chosen.find(({ paymentType }) => !types.includes(paymentType))
  if (other) {
    const params = { reference: referenceOf(other.giftCardId) }
    throw new Refusal('payout_not_batchable', 'refusals.payout_of_other_type', { params })
  }
  await requireBatchable(tx, site, isChosen)
  return chosen
}

/** Checks every payout of an open batch and fixes the contents. */
export async function freeze(
  tx: Transaction,
  context: Context,
  actor: Staff | System,
  id: string,
): Promise<BatchAnswer> {
  const { site } = context
  const { perDay, ...limits } = site.payouts.limits ?? {}
  const batch = await lockFor(tx, id, 'freeze')
  if (batch.count === 0 && !(await needsPrenotes(tx, site, batch.fileKind))) throw nothingDue()
  if (site.payouts.alwaysTwoPersons && batch.createdBy === idOf(actor)) {
    throw new Refusal('second_person_needed', 'refusals.second_person_for_freeze')
  }
  await requireWithinLimits(tx, limits, await leavingOf(tx, limits, batch))
  requireConfigured(batch.fileKind, site.payouts)
  await requireAllBatchable(tx, site, id)
  if (batch.onePerSeller) await formEntries(tx, id)
  await updateBatch(tx, id, { state: batchMoves.freeze.to, frozenBy: idOf(actor), frozenAt: sql`now()` })
  await recordAndTell(tx, actor, id, 'payout_batch.frozen', sizeOf(batch))
  return readBatch({ ...context, db: tx }, id)
}

/**
 * Checks a frozen batch again and makes its file, or the request that the provider gets. Needs another person than the one who froze it, if there is one. A batch that needs
 * two approvals is approved first, and released by the second approver.
 */
export async function release(
  tx: Transaction,
  context: Context,
  actor: Staff | System,
  id: string,
  { sameDay = false }: { sameDay?: boolean | undefined } = {},
): Promise<BatchAnswer> {
  const { limits = {}, alwaysTwoPersons } = context.site.payouts
  const batch = await lockFor(tx, id, 'release')
  const needsTwo = needsTwoApprovals(limits, batch.total)
  const isByPerson = actor.kind === 'staff'
  const releasedAlone = isByPerson && batch.frozenBy === actor.id
  if (needsTwo) requireApprover(batch, actor)
  else if (isByPerson ? releasedAlone && (await needsSecondPerson(tx, context, actor)) : alwaysTwoPersons) {
    throw new Refusal('second_person_needed', 'refusals.second_person_for_release')
  }
  if (sameDay) await requireSameDay(tx, context, batch)
  await lockSellers(tx, id)
  await requireAllBatchable(tx, context.site, id)
  if (needsTwo && !batch.approvedBy) {
    await requireWithinLimits(tx, limits, await leavingOf(tx, limits, batch))
    await updateBatch(tx, id, { approvedBy: idOf(actor), approvedAt: sql`now()` })
    await recordAndTell(tx, actor, id, 'payout_batch.approved', sizeOf(batch))
    return readBatch({ ...context, db: tx }, id)
  }
  const prenotes = await addPrenotes(tx, context, batch)
  if (batch.count + prenotes.length === 0) throw nothingDue()
  const provider = providerOf(context, batch.fileKind)
  const file = await makeFile(tx, context, batch, { prenotes, sameDay, provider })
  // After the file, which takes a while: whatever else leaves today waits from here.
  await requireWithinLimits(tx, limits, await leavingOf(tx, limits, batch))
  await releasePayouts(tx, id)
  await updateBatch(tx, id, {
    state: batchMoves.release.to,
    releasedBy: idOf(actor),
    releasedAt: sql`now()`,
    releasedAlone,
    sameDay,
    ...file,
    ...(provider && { provider: provider.name, providerState: 'waiting', providerNextAt: sql`now()` }),
  })
  const details = {
    ...sizeOf(batch),
    sha256: file.fileSha256,
    ...(prenotes.length > 0 && { prenotes: prenotes.length }),
    ...(releasedAlone && { alone: true }),
    ...(sameDay && { sameDay }),
    ...(provider && { provider: provider.name }),
  }
  await recordAndTell(tx, actor, id, 'payout_batch.released', details)
  return readBatch({ ...context, db: tx }, id)
}

/**
 * Maximum of one same-day payment, in cents. Above it, the bank pays on the next day.
 * Source: https://www.nacha.org/rules/increasing-same-day-ach-dollar-limit
 */
const MAX_SAME_DAY = 100_000_000

/** Throws `Refusal` if the bank cannot pay the batch today. */
async function requireSameDay(
  tx: Transaction,
  { site }: Context,
  { id, fileKind }: Pick<Batch, 'id' | 'fileKind'>,
): Promise<void> {
  const { nacha } = site.payouts
  const now = new Date((await readClock(tx))())
  const cutoff = nextSameDayCutoff(now, nacha)
  if (fileKind !== 'nacha' || !cutoff)
    throw new Refusal('illegal_batch_move', 'refusals.same_day_not_offered')
  if (sameDayOf(now, nacha) === undefined) {
    throw new Refusal('illegal_batch_move', 'refusals.same_day_over', { params: { day: cutoff.settlesOn } })
  }
  const [{ largest } = { largest: 0 }] = await tx
    .select({ largest: sql`coalesce(max(coalesce(entry_total, amount)), 0)`.mapWith(Number) })
    .from(payouts)
    .where(eq(payouts.batchId, id))
  if (largest > MAX_SAME_DAY) {
    const params = { amount: toDollars(largest), maximum: toDollars(MAX_SAME_DAY) }
    throw new Refusal('payout_limit', 'refusals.same_day_too_high', { params })
  }
}

function requireApprover(batch: Batch, actor: Staff | System): void {
  const problem = actor.kind === 'system' ? 'made' : approvalProblem(batch, actor.id)
  if (problem) throw new Refusal('second_person_needed', `refusals.approval_${problem}`)
}

/** Whether somebody else has to do it: always, or because there is somebody else who may pay. */
export async function needsSecondPerson(tx: Transaction, { site }: Context, { id }: Staff): Promise<boolean> {
  if (site.payouts.alwaysTwoPersons) return true
  return (await tx.$count(administrators, and(ne(administrators.id, id), mayPay))) > 0
}

/** Dissolves a batch that was not exported: its payouts are due again. */
export async function voidBatch(context: Context, staff: Staff, id: string): Promise<BatchAnswer> {
  return transaction(context.db, async (tx) => {
    await dissolveBatch(tx, await lockFor(tx, id, 'void'), staff)
    await tellStaff(tx)
    return readBatch({ ...context, db: tx }, id)
  })
}

/** Locks a batch. Throws `Refusal` if it may not make this move. */
async function lockFor(tx: Transaction, id: string, move: BatchMoveName): Promise<Batch> {
  if (move !== 'void') await requireNotStopped(tx)
  const batch = await lockBatch(tx, id)
  if (!batch) throw notFound()
  if (!mayMoveBatch(batch.state, move)) throw illegalMove(batch)
  return batch
}

export function illegalMove({ state }: Batch): Refusal {
  return new Refusal('illegal_batch_move', 'refusals.illegal_batch_move', { params: { state } })
}

/** Refuses a batch that a provider sends. It has no file, and only the provider says which payouts were paid. */
export function requireFile({ provider }: Batch): void {
  if (provider) throw new Refusal('illegal_batch_move', 'refusals.sent_by_provider')
}

/** For the audit log. */
export const sizeOf = ({ count, total }: Pick<Batch, 'count' | 'total'>) => ({
  count,
  total: toDecimal(total),
})

type BatchChange = Parameters<ReturnType<Transaction['update']>['set']>[0]

export async function updateBatch(tx: Transaction, id: string, change: BatchChange): Promise<void> {
  await tx.update(payoutBatches).set(change).where(eq(payoutBatches.id, id))
}

export async function recordAndTell(
  tx: Transaction,
  actor: Staff | System,
  id: string,
  action: AuditAction,
  details: AuditDetails,
): Promise<void> {
  await record(tx, { actor, action, subject: { kind: 'payout_batch', id }, details })
  await tellStaff(tx)
}

function tellStaff(tx: Transaction): Promise<void> {
  return publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
}
