import { and, eq, getTableColumns, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import { toDecimal } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import {
  batchMoves,
  CHANGED_ACCOUNT_HOURS,
  mayMovePayout,
  type PayoutMoveName,
  payoutMoves,
} from '#domain/payout.ts'
import type { PayoutLimits } from '#domain/payout-limits.ts'
import { unsentProviderStates } from '#domain/payout-provider.ts'
import type { Status } from '#domain/submission.ts'
import { type AuditActor, type AuditDetails, record } from '#server/features/audit/actions.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { keepPrepared, onlyRow } from '#server/platform/database/queries.ts'
import { payoutBatches, payouts } from '#server/platform/database/schema.ts'
import type { Translate } from '#words/translate.ts'
import { alone, dissolveEntries } from './entries.ts'
import { type Entry, entryOf, lockReceivable, post, postEntries, undoneEntryOf } from './ledger.ts'
import { requireWithinLimits } from './limits.ts'
import { requireNotStopped } from './stop.ts'

/** Every change of a payout's state, with its entry in the ledger. Locks are taken in this order: submission, batch, payout. */

export type Payout = typeof payouts.$inferSelect

/** What a payout needs of its submission, which the caller has locked. */
export interface PayableCard {
  readonly id: string
  readonly sellerId: string
  readonly brand: string
  readonly paymentType: string
  readonly paymentAccountHint: string
}

/**
 * Makes a payout due for an approved submission. One that came back is owed again, and still waits for another account. A new one
 * waits as long as others to the same account, which the seller has just entered.
 * @param latest its payout from an earlier approval
 */
export async function createPayout(
  tx: Transaction,
  card: PayableCard,
  latest: Payout | undefined,
  { price, netReceivables, to }: { price: number; netReceivables: boolean; to: Status },
): Promise<Payout> {
  const { id: giftCardId, sellerId } = card
  const waiting = sql`greatest(now(), (
    select max(batchable_at) from payouts
    join gift_cards same on same.id = gift_card_id
    join gift_cards own on own.id = ${giftCardId}
      and own.payment_type = same.payment_type and own.payment_account_index = same.payment_account_index
    where payouts.seller_id = ${sellerId} and state = 'due'
  ))`
  const approved = post(tx, 'approved', { price }, { giftCardId })
  const make = async () => {
    const deducted = netReceivables ? Math.min(await lockReceivable(tx, sellerId), price) : 0
    const due = { amount: price - deducted, deducted }
    return insertPayout(tx, card, to === 'completed' ? due : { ...due, batchableAt: waiting })
  }
  const [payout] = await Promise.all([latest?.state === 'returned' ? latest : make(), approved])
  await post(tx, 'netted', { amount: payout.deducted, sellerId }, subjectOf(payout))
  return payout
}

/** Makes a returned payout due again, to the submission's new account, which has to wait. */
export async function renewPayout(tx: Transaction, card: PayableCard, returned: Payout): Promise<Payout> {
  return insertPayout(tx, card, {
    amount: returned.amount,
    deducted: returned.deducted,
    batchableAt: sql`now() + make_interval(hours => ${CHANGED_ACCOUNT_HOURS})`,
  })
}

/** Sends a due payout, whose account was refused before, to the submission's new account, which has to wait. */
export async function changeDueAccount(
  tx: Transaction,
  { paymentType, paymentAccountHint: accountHint }: PayableCard,
  { id }: Payout,
): Promise<Payout> {
  return onlyRow(
    await tx
      .update(payouts)
      .set({
        paymentType: paymentType as PaymentType,
        accountHint,
        batchableAt: sql`now() + make_interval(hours => ${CHANGED_ACCOUNT_HOURS})`,
      })
      .where(eq(payouts.id, id))
      .returning(),
  )
}

async function insertPayout(
  tx: Transaction,
  { id: giftCardId, sellerId, paymentType, paymentAccountHint: accountHint }: PayableCard,
  more: Pick<typeof payouts.$inferInsert, 'amount' | 'deducted'> & { batchableAt?: SQL },
): Promise<Payout> {
  const row = { id: uuidv7(), giftCardId, sellerId, paymentType: paymentType as PaymentType, accountHint }
  return onlyRow(
    await tx
      .insert(payouts)
      .values({ ...row, ...more })
      .returning(),
  )
}

/**
 * Refuses a payment by hand of a payout in a batch. While payouts are stopped, it takes the reference of a payment: what was sent
 * since the backup is recorded like this. One of zero sends nothing.
 * @returns the payout to pay: another one if it came back before
 */
export async function preparePayByHand(
  tx: Transaction,
  card: PayableCard,
  latest: Payout,
  { reference, limits = {} }: { reference: string | undefined; limits?: PayoutLimits | undefined },
): Promise<Payout> {
  const { amount } = latest
  if (!reference && amount > 0) await requireNotStopped(tx)
  if (amount > 0) await requireWithinLimits(tx, limits, { largest: amount, total: amount, isBatch: false })
  const payout = latest.state === 'returned' ? await renewPayout(tx, card, latest) : latest
  if (!mayMovePayout(payout.state, 'payByHand'))
    throw new Refusal('payout_in_batch', 'refusals.payout_in_batch')
  return payout
}

/** Records that a payout from `preparePayByHand` was sent without a batch. The caller posts its `paidEntry`. */
export async function payByHand(
  tx: Transaction,
  payout: Payout,
  reference: string | undefined,
): Promise<void> {
  const sent = { byHand: true, reference: reference ?? null, sentAt: sql`now()`, paidAt: sql`now()` }
  await movePayout(tx, payout, 'payByHand', sent)
}

/** Records that the bank or service has paid locked payouts, which were exported. */
export async function confirmPayouts(
  tx: Transaction,
  confirmed: readonly { readonly payout: Payout; readonly reference: string | undefined }[],
): Promise<void> {
  const ids = confirmed.map(({ payout }) => payout.id)
  const references = confirmed.map(({ reference }) => reference ?? null)
  for (const { payout } of confirmed) requireMove(payout, 'confirm')
  await tx.execute(sql`
    update payouts set state = ${payoutMoves.confirm.to}, paid_at = now(),
      reference = coalesce(confirmed.reference, payouts.reference), provider_state = null
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(references)}::text[]) as confirmed (id, reference)
    where payouts.id = confirmed.id`)
  await postEntries(
    tx,
    confirmed.map(({ payout }) => paidEntry(payout)),
  )
}

/**
 * Takes a payment by hand back. A payout that left in a file can only be returned. Unless the payment was undone at once, it keeps
 * its reference and date: the money may have been sent. The caller posts the `unpaidEntry`.
 */
export async function reopenPayout(tx: Transaction, payout: Payout, isUndo: boolean): Promise<void> {
  if (!payout.byHand) throw new Refusal('payout_sent', 'refusals.payout_sent')
  const { sentAt, reference, revertedSentAt, revertedReference, notSentAt } = payout
  const trace = isUndo
    ? { revertedSentAt, revertedReference, notSentAt }
    : { revertedSentAt: sentAt, revertedReference: reference, notSentAt: null }
  const isRenewed = isMadeToPayReturned(payout)
  const unsent = { ...trace, reference: null, sentAt: null, paidAt: null, byHand: isRenewed }
  await movePayout(tx, payout, isRenewed ? 'unrenew' : 'reopen', unsent)
}

/** Whether `payByHand` made it for a returned payout. If the seller names another account, it is made before it is sent. */
function isMadeToPayReturned({ dueAt, batchableAt, sentAt }: Payout): boolean {
  return batchableAt > dueAt && sentAt?.getTime() === dueAt.getTime()
}

/** Records that the money came back. The seller is still owed it. */
export async function returnPayout(
  tx: Transaction,
  payout: Payout,
  why: Pick<Payout, 'returnCode' | 'returnReason'>,
): Promise<void> {
  await movePayout(tx, payout, 'return', { ...why, returnedAt: sql`now()`, providerState: null })
  if (payout.state === 'paid') await post(tx, 'returned', payout, subjectOf(payout))
}

/**
 * Cancels what is owed for a submission that is no longer approved. Refuses if the money was sent, or if the payout is in a batch
 * that is frozen or released.
 */
export async function cancelPayout(
  tx: Transaction,
  payout: Payout,
  { price, actor }: { price: number; actor: AuditActor },
): Promise<void> {
  const { giftCardId, sellerId, deducted } = payout
  if (payout.state !== 'returned') {
    if (!mayMovePayout(payout.state, 'void')) throw new Refusal('payout_sent', 'refusals.payout_sent')
    await movePayout(tx, await leaveBatch(tx, payout, actor), 'void')
  }
  await postEntries(tx, [
    undoneEntryOf('netted', { amount: deducted, sellerId }, subjectOf(payout)),
    undoneEntryOf('approved', { price }, { giftCardId }),
  ])
}

/**
 * Why the money of a payout came back: by its code in the reader's language, or as staff wrote it. Null if it did not come
 * back.
 */
export function returnReasonOf(
  t: Translate,
  { state, returnCode, returnReason }: Pick<Payout, 'state' | 'returnCode' | 'returnReason'>,
): string | null {
  if (state !== 'returned') return null
  if (!returnCode) return returnReason ?? t('payouts.returned.unexplained')
  const key = `payouts.returned.${returnCode}`
  return t.has(key) ? t(key) : t('payouts.returned.unknown', { code: returnCode })
}

/**
 * The newest payout of a locked submission, locked. Its batch is locked before it if the payout can still leave that batch. It enters
 * no other one meanwhile: `createBatch` locks submissions too.
 */
export async function lockLatestPayout(tx: Transaction, giftCardId: string): Promise<Payout | undefined> {
  const lockBatch = (name: string) =>
    tx
      .select({ id: payoutBatches.id })
      .from(payoutBatches)
      .where(
        sql`${payoutBatches.id} = (select batch_id from payouts where id = ${latest} and state in ${payoutMoves.unbatch.from})`,
      )
      .for('update')
      .prepare(name)
  const lockPayout = (name: string) => tx.select().from(payouts).where(isLatest).for('update').prepare(name)
  const [, [payout]] = await Promise.all([
    keepPrepared(tx, 'lock_latest_batch', lockBatch).execute({ giftCardId }),
    keepPrepared(tx, 'lock_latest_payout', lockPayout).execute({ giftCardId }),
  ])
  return payout
}

/** Locks the batches and payouts of locked submissions, so that the caller can decide about them. */
export async function lockPayouts(tx: Transaction, giftCardIds: readonly string[]): Promise<void> {
  const own = sql`gift_card_id = any(${sql.param(giftCardIds)}::uuid[])`
  await tx.execute(sql`
    select from payout_batches
    where id in (select batch_id from payouts where ${own} and state in ${payoutMoves.unbatch.from})
    order by id for update`)
  await tx.execute(sql`select from payouts where ${own} order by number for update`)
}

/** Dissolves the locked batches of locked submissions that were not released. */
export async function dissolveUnreleased(
  tx: Transaction,
  giftCardIds: readonly string[],
  actor: AuditActor,
): Promise<void> {
  const found = await tx
    .selectDistinct({
      id: payoutBatches.id,
      state: payoutBatches.state,
      providerState: payoutBatches.providerState,
    })
    .from(payouts)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(and(inArray(payouts.giftCardId, [...giftCardIds]), eq(payouts.state, 'batched')))
  for (const batch of found) await dissolveBatch(tx, batch, actor, { cleared: true })
}

/** Without payouts that were made for a payment by hand that was taken back. They are void and `byHand`. */
const latest = sql`(
  select id from payouts where gift_card_id = ${sql.placeholder('giftCardId')} and (state <> 'void' or not by_hand)
  order by number desc limit 1
)`
const isLatest = eq(payouts.id, latest)

export async function findLatestPayout(db: Executor, giftCardId: string): Promise<Payout | undefined> {
  const prepare = (name: string) => db.select().from(payouts).where(isLatest).prepare(name)
  const [payout] = await keepPrepared(db, 'latest_payout', prepare).execute({ giftCardId })
  return payout
}

/** Without its file. */
export type Batch = Omit<typeof payoutBatches.$inferSelect, 'sealedFile'>

export async function lockBatch(tx: Transaction, id: string): Promise<Batch | undefined> {
  const [batch] = await tx
    .select(batchColumns)
    .from(payoutBatches)
    .where(eq(payoutBatches.id, id))
    .for('update')
  return batch
}

/** Without the file, which may have a megabyte. */
const { sealedFile: _, ...batchColumns } = getTableColumns(payoutBatches)

/** Puts locked due payouts into a new batch, in this order. */
export async function batchPayouts(tx: Transaction, batchId: string, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update payouts set state = ${payoutMoves.batch.to}, batch_id = ${batchId}, batch_position = chosen.position
    from unnest(${sql.param(ids)}::uuid[]) with ordinality as chosen (id, position)
    where payouts.id = chosen.id`)
}

/** Releases the payouts of a locked batch. */
export async function releasePayouts(tx: Transaction, batchId: string): Promise<void> {
  await tx.update(payouts).set({ state: payoutMoves.release.to }).where(movable(batchId, 'release'))
}

/** Marks the payouts of a locked batch as sent. Returns their sellers and submissions. */
export function exportPayouts(
  tx: Transaction,
  batchId: string,
): Promise<{ userId: string; submissionId: string }[]> {
  return tx
    .update(payouts)
    .set({ state: payoutMoves.export.to, sentAt: sql`now()` })
    .where(movable(batchId, 'export'))
    .returning({ userId: payouts.sellerId, submissionId: payouts.giftCardId })
}

/** The payouts of a batch that the move can take. */
const movable = (batchId: string, move: PayoutMoveName) =>
  and(eq(payouts.batchId, batchId), inArray(payouts.state, [...payoutMoves[move].from]))

/**
 * Dissolves a locked batch that was not exported: all its payouts are due again. The audit log has the details. Refuses one that a
 * provider has, or may have: it could pay them.
 */
export async function dissolveBatch(
  tx: Transaction,
  { id: batchId, state, providerState }: Pick<Batch, 'id' | 'state' | 'providerState'>,
  actor: AuditActor,
  details: AuditDetails = {},
): Promise<void> {
  if (providerState && !unsentProviderStates.includes(providerState)) {
    throw new Refusal('illegal_batch_move', 'refusals.batch_with_provider')
  }
  await tx
    .update(payouts)
    .set({ state: payoutMoves.unbatch.to, batchId: null, batchPosition: null, ...alone })
    .where(movable(batchId, 'unbatch'))
  await tx
    .update(payoutBatches)
    .set({ state: batchMoves.void.to, voidedBy: 'id' in actor ? actor.id : null, voidedAt: sql`now()` })
    .where(eq(payoutBatches.id, batchId))
  const subject = { kind: 'payout_batch', id: batchId } as const
  await record(tx, { actor, action: 'payout_batch.voided', subject, details: { state, ...details } })
}

/**
 * Voids the payouts of a locked batch that the bank rejected, or that was abandoned, and makes others due in the same order: their
 * numbers are new, so that a late report about the batch matches nothing.
 *
 * @returns false if the bank accepted the file, because a payout was paid or came back. Then roll back.
 */
export async function replacePayouts(
  tx: Transaction,
  { id, count }: Batch,
  move: 'reject' | 'abandon',
): Promise<boolean> {
  const voided = await tx.update(payouts).set({ state: payoutMoves[move].to }).where(movable(id, move))
  if (voided.rowCount !== count) return false
  await tx.execute(sql`
    insert into payouts (id, gift_card_id, seller_id, amount, deducted, payment_type, account_hint, due_at, batchable_at)
    select gen_random_uuid(), gift_card_id, seller_id, amount, deducted, payment_type, account_hint, due_at, batchable_at
    from payouts where batch_id = ${id} order by batch_position`)
  return true
}

/** Takes a payout out of its open batch. Refuses if the batch does not change any more. */
async function leaveBatch(tx: Transaction, payout: Payout, actor: AuditActor): Promise<Payout> {
  const batch = payout.batchId === null ? undefined : await lockBatch(tx, payout.batchId)
  if (!batch) return payout
  if (batch.state !== 'open') throw inFixedBatch(batch)
  return takeOut(tx, payout, batch, actor)
}

/** Refuses to change a batch that is frozen or released. */
export function inFixedBatch({ state, number }: Batch): Refusal {
  const key = state === 'frozen' ? 'refusals.payout_in_frozen_batch' : 'refusals.payout_in_released_batch'
  return new Refusal('payout_in_batch', key, { params: { number } })
}

/** Takes a payout out of its locked batch. A frozen batch is open again, because somebody has to check what is left. */
export async function takeOut(
  tx: Transaction,
  payout: Payout,
  batch: Batch,
  actor: AuditActor,
): Promise<Payout> {
  const left = { state: payoutMoves.unbatch.to, batchId: null, batchPosition: null, ...alone }
  if (batch.state === 'frozen') await dissolveEntries(tx, batch.id)
  await tx.update(payouts).set(left).where(eq(payouts.id, payout.id))
  const size = { count: batch.count - 1, total: batch.total - payout.amount }
  await tx
    .update(payoutBatches)
    .set({
      ...size,
      state: batchMoves.takeOut.to,
      frozenBy: null,
      frozenAt: null,
      approvedBy: null,
      approvedAt: null,
    })
    .where(eq(payoutBatches.id, batch.id))
  await record(tx, {
    actor,
    action: 'payout_batch.payout_taken_out',
    subject: { kind: 'payout_batch', id: batch.id },
    details: {
      giftCardId: payout.giftCardId,
      count: size.count,
      total: toDecimal(size.total),
      ...(batch.state === 'frozen' && { unfrozen: true }),
    },
  })
  return { ...payout, ...left }
}

/**
 * Whether an earlier payment of the submission may have been sent, for queries of gift_cards: one by hand that was reverted, or one
 * of an abandoned batch. Asks for all its payouts: the next one may be another.
 */
export const isPaidBefore = sql<boolean>`exists (
  select 1 from payouts reverted
  where reverted.gift_card_id = gift_cards.id and reverted.reverted_sent_at is not null and reverted.not_sent_at is null
)`

/** Records that the earlier payments of a locked submission were not sent. @returns whether one was in doubt */
export async function recordUnsent(tx: Transaction, giftCardId: string): Promise<boolean> {
  const inDoubt = and(
    eq(payouts.giftCardId, giftCardId),
    isNotNull(payouts.revertedSentAt),
    isNull(payouts.notSentAt),
  )
  const settled = await tx
    .update(payouts)
    .set({ notSentAt: sql`now()` })
    .where(inDoubt)
    .returning({ id: payouts.id })
  return settled.length > 0
}

/** Whether the payout of a submission is in a released batch or was exported, for queries of gift_cards. */
export const payoutOnItsWay = sql<boolean>`exists (
  select 1 from payouts where payouts.gift_card_id = gift_cards.id and payouts.state in ('released', 'exported')
)`

/** Whether we owe the seller money that was sent and came back, for queries of gift_cards. */
export const moneyCameBack = sql<boolean>`(gift_cards.status = 'processing' and exists (
  select 1 from payouts where payouts.gift_card_id = gift_cards.id and payouts.state = 'returned'
))`

type PayoutChange = PgUpdateSetSource<typeof payouts>

/** @param more always of the same columns for a move, because its statement is prepared */
async function movePayout(
  tx: Transaction,
  payout: Payout,
  name: PayoutMoveName,
  more: PayoutChange = {},
): Promise<void> {
  requireMove(payout, name)
  await tx
    .update(payouts)
    .set({ ...more, state: payoutMoves[name].to })
    .where(eq(payouts.id, payout.id))
    .prepare(`payout_${name}`)
    .execute()
}

function requireMove({ state }: Payout, name: PayoutMoveName): void {
  if (mayMovePayout(state, name)) return
  throw new Refusal('illegal_payout_move', 'refusals.illegal_payout_move', { params: { state } })
}

export const paidEntry = (payout: Payout): Entry => entryOf('paid', payout, subjectOf(payout))

export const unpaidEntry = (payout: Payout): Entry => undoneEntryOf('paid', payout, subjectOf(payout))

const subjectOf = ({ giftCardId, id: payoutId }: Payout) => ({ giftCardId, payoutId })
