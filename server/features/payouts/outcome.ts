import { and, asc, eq, sql } from 'drizzle-orm'
import type { PayoutState } from '#domain/payout.ts'
import { may } from '#domain/roles.ts'
import { UNDO_SECONDS } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { type AuditActor, type AuditDetails, record } from '#server/features/audit/actions.ts'
import { markDead } from '#server/features/books/dead-accounts.ts'
import {
  confirmPayouts,
  lockLatestPayout,
  type Payout,
  returnPayout,
} from '#server/features/books/payouts.ts'
import { enqueuePushes } from '#server/features/notifications/actions.ts'
import {
  completeConfirmed,
  completePaidByHand,
  completeUnsent,
  lockCards,
  lockForPayout,
  revertReturned,
} from '#server/features/submissions/payout-effects.ts'
import { type Staff, type System, system } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { findPayout, isClosable, listUnsent } from './queries.ts'

/** Records the outcome of a payout: it was paid, or the money came back. */

/** Records a payout as paid and completes its submission. One that is due counts as paid by hand. */
export async function recordPaid(
  tx: Transaction,
  context: Context,
  staff: Staff,
  { id, reference }: { id: string; reference?: string | undefined },
): Promise<void> {
  const [{ card, payout }] = await lockEntry(tx, id)
  if (payout.state === 'exported') {
    await recordConfirmed(tx, staff, [{ id, reference }])
    return
  }
  if (['paid', 'returned', 'void'].includes(payout.state)) throw illegalPayoutMove(payout.state)
  if (!context.site.payouts.manual && !may(staff.role, 'pay_by_hand_always')) {
    throw new Refusal('manual_payouts_off', 'refusals.manual_payouts_off')
  }
  await completePaidByHand(tx, context, card, { staff, reference })
  await record(tx, aboutPayout(staff, payout, 'payout.paid', { byHand: true }))
}

/**
 * Records exported payouts as paid by the bank or service, with all others of their entries, and completes their submissions. Leaves
 * payouts that are in another state.
 *
 * @param mailedBefore how many sellers' emails the caller has enqueued before
 * @returns the ids of the payouts that were recorded
 */
export async function recordConfirmed(
  tx: Transaction,
  actor: Staff | System,
  sent: readonly { readonly id: string; readonly reference: string | undefined }[],
  mailedBefore = 0,
): Promise<ReadonlySet<string>> {
  const ids = sql.param(sent.map(({ id }) => id))
  const isSent = sql`(${payouts.id} = any(${ids}::uuid[])
    or ${payouts.entryNumber} in (select entry_number from payouts where id = any(${ids}::uuid[])))`
  const found = await tx.select({ giftCardId: payouts.giftCardId }).from(payouts).where(isSent)
  const cards = await lockCards(
    tx,
    found.map(({ giftCardId }) => giftCardId),
  )
  const locked = await tx
    .select()
    .from(payouts)
    .where(and(isSent, eq(payouts.state, 'exported')))
    .orderBy(asc(payouts.number))
    .for('update')
  if (locked.length === 0) return new Set()
  const references = new Map(sent.map(({ id, reference }) => [id, reference]))
  const byPayment = new Map(
    locked.flatMap((payout) =>
      references.has(payout.id) ? [[paymentNumberOf(payout), references.get(payout.id)] as const] : [],
    ),
  )
  const cardOf = new Map(cards.map((card) => [card.id, card]))
  const paid = locked.map(({ giftCardId }) => {
    const card = cardOf.get(giftCardId)
    if (!card) throw notFound()
    return card
  })
  await confirmPayouts(
    tx,
    locked.map((payout) => ({ payout, reference: byPayment.get(paymentNumberOf(payout)) })),
  )
  const first = new Set(locked.filter(leads).map(({ giftCardId }) => giftCardId))
  await completeConfirmed(tx, paid, actor, { mailedBefore, mailed: ({ id }) => first.has(id) })
  await record(tx, ...locked.map((payout) => aboutPayout(actor, payout, 'payout.paid', { byHand: false })))
  return new Set(locked.map(({ id }) => id))
}

const paymentNumberOf = ({ entryNumber, number }: Payout): number => entryNumber ?? number

const leads = (payout: Payout): boolean => paymentNumberOf(payout) === payout.number

/**
 * Completes the submissions whose payouts send nothing, because the seller's debt took the whole price, once their approval cannot be
 * undone. Leaves those about which staff have to decide. Several servers may do it at once.
 */
export async function closeUnsent(context: Context, signal: AbortSignal): Promise<void> {
  for (const row of await listUnsent(context.db, context.site, UNDO_SECONDS)) {
    if (signal.aborted) return
    if (isClosable(row)) await close(context, row.id)
  }
}

function close(context: Context, id: string): Promise<void> {
  return transaction(context.db, async (tx) => {
    const { card, payout } = await lockPayout(tx, id)
    const row = await findPayout(tx, context.site, id)
    if (payout.state !== 'due' || !row || !isClosable(row)) return
    await completeUnsent(tx, context, card)
    await record(tx, aboutPayout(system, payout, 'payout.paid', { byHand: true }))
    await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
  })
}

/**
 * Records that the money of a payout and its entry came back. Completed submissions go back to processing. Without a code, the account
 * is dead unless it only reached a limit.
 */
export async function recordReturned(
  tx: Transaction,
  context: Context,
  actor: Staff | System,
  { id, isLimit = false, ...why }: Pick<Payout, 'id' | 'returnCode' | 'returnReason'> & { isLimit?: boolean },
): Promise<void> {
  const entry = await lockEntry(tx, id)
  const [{ payout: first, card: paidCard }] = entry
  const update = { type: 'PAYOUT_UPDATE' } as const
  for (const { payout } of entry) await returnPayout(tx, payout, why)
  const paid = { payout: first, accountIndex: paidCard.paymentAccountIndex }
  const isDead = !isLimit && (await markDead(tx, paid, why.returnCode))
  for (const { card, payout } of entry) {
    if (card.status === 'completed') await revertReturned(tx, context, card)
    const details = { returnCode: why.returnCode, ...(isDead && { accountDead: true }) }
    await record(tx, aboutPayout(actor, payout, 'payout.returned', details))
    const { sellerId: userId, giftCardId: submissionId } = payout
    await publish(tx, [
      { to: 'staff', message: update },
      { to: { userId }, message: { ...update, userId, submissionId } },
    ])
  }
  const payoutId = first.id
  await enqueue(tx, 'payoutMail', `${payoutId}:returned`, { payoutId, kind: 'returned' })
  await enqueuePushes(tx, first.sellerId, { about: 'payout', payoutId, event: 'returned' })
}

type LockedPayout = Awaited<ReturnType<typeof lockPayout>>

/**
 * Locks a payout that was sent, and all others of its entry: what the bank says about one is true for all. In the order of their
 * submissions, the asked one first.
 */
export async function lockEntry(tx: Transaction, id: string): Promise<[LockedPayout, ...LockedPayout[]]> {
  const others = await tx.execute<{ id: string; giftCardId: string }>(sql`
    select other.id, other.gift_card_id as "giftCardId" from payouts own
    join payouts other on other.entry_number = own.entry_number
    where own.id = ${id} and own.state in ('exported', 'paid') order by other.number`)
  await lockCards(
    tx,
    others.rows.map(({ giftCardId }) => giftCardId),
  )
  const asked = await lockPayout(tx, id)
  const locked: [LockedPayout, ...LockedPayout[]] = [asked]
  for (const other of others.rows) if (other.id !== id) locked.push(await lockPayout(tx, other.id))
  return locked
}

/** Locks a payout and, before it, its submission. Refuses a payout that a newer one has replaced. */
export async function lockPayout(tx: Transaction, id: string) {
  const [found] = await tx.select({ giftCardId: payouts.giftCardId }).from(payouts).where(eq(payouts.id, id))
  if (!found) throw notFound()
  const card = await lockForPayout(tx, found.giftCardId)
  const payout = await lockLatestPayout(tx, found.giftCardId)
  if (payout?.id === id) return { card, payout }
  const [replaced] = await tx.select({ state: payouts.state }).from(payouts).where(eq(payouts.id, id))
  throw illegalPayoutMove(replaced?.state ?? 'void')
}

export function illegalPayoutMove(state: PayoutState): Refusal {
  return new Refusal('illegal_payout_move', 'refusals.illegal_payout_move', { params: { state } })
}

function aboutPayout(
  actor: AuditActor,
  { id, giftCardId }: Payout,
  action: 'payout.paid' | 'payout.returned',
  details: AuditDetails,
) {
  return { actor, action, subject: { kind: 'payout', id }, details: { ...details, giftCardId } } as const
}
