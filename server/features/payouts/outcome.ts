import { and, asc, eq, sql } from 'drizzle-orm'
import type { PayoutState } from '#domain/payout.ts'
import { may } from '#domain/roles.ts'
import { UNDO_SECONDS } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { type AuditActor, record } from '#server/features/audit/actions.ts'
import { markDead } from '#server/features/books/dead-accounts.ts'
import {
  confirmPayouts,
  forgetPlans,
  lockLatestPayout,
  type Payout,
  returnPayout,
} from '#server/features/books/payouts.ts'
import { enqueuePushes } from '#server/features/push/actions.ts'
import {
  completeConfirmed,
  completePaidByHand,
  completeUnsent,
  lockCards,
  lockForPayout,
  revertReturned,
} from '#server/features/submissions/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { findPayout, isClosable, listUnsent } from './queries.ts'

/** What became of one payout: it was paid, or the money came back. */

/** Records a payout as paid and completes its submission. One that is due counts as paid by hand. */
export async function recordPaid(
  tx: Transaction,
  context: Context,
  staff: Staff,
  { id, reference }: { id: string; reference?: string | undefined },
): Promise<void> {
  const { card, payout } = await lockPayout(tx, id)
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
 * Records exported payouts as paid by the bank or service, and completes their submissions. Leaves payouts that are in another state.
 *
 * @param told how many sellers' emails the caller has enqueued before
 * @returns the ids of the payouts that were recorded
 */
export async function recordConfirmed(
  tx: Transaction,
  staff: Staff,
  sent: readonly { readonly id: string; readonly reference: string | undefined }[],
  told = 0,
): Promise<ReadonlySet<string>> {
  const references = new Map(sent.map(({ id, reference }) => [id, reference]))
  const isSent = sql`${payouts.id} = any(${sql.param([...references.keys()])}::uuid[])`
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
  const cardOf = new Map(cards.map((card) => [card.id, card]))
  const paid = locked.map(({ giftCardId }) => {
    const card = cardOf.get(giftCardId)
    if (!card) throw notFound()
    return card
  })
  await confirmPayouts(
    tx,
    locked.map((payout) => ({ payout, reference: references.get(payout.id) })),
  )
  await completeConfirmed(tx, paid, staff, told)
  await record(tx, ...locked.map((payout) => aboutPayout(staff, payout, 'payout.paid', { byHand: false })))
  if (locked.length > 1) await forgetPlans(tx)
  return new Set(locked.map(({ id }) => id))
}

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
    await record(tx, aboutPayout({ kind: 'system' }, payout, 'payout.paid', { byHand: true }))
    await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
  })
}

/** Records that the money of a payout came back. A completed submission goes back to processing. */
export async function recordReturned(
  tx: Transaction,
  context: Context,
  staff: Staff,
  {
    id,
    accountDead = false,
    ...why
  }: { id: string; accountDead?: boolean | undefined } & Pick<Payout, 'returnCode' | 'returnReason'>,
): Promise<void> {
  const { card, payout } = await lockPayout(tx, id)
  await returnPayout(tx, payout, why)
  const paid = { payout, accountIndex: card.paymentAccountIndex }
  const isDead = (why.returnCode !== null || accountDead) && (await markDead(tx, paid, why.returnCode))
  if (card.status === 'completed') await revertReturned(tx, context, card)
  await enqueue(tx, 'payoutMail', `${id}:returned`, { payoutId: id, kind: 'returned' })
  await enqueuePushes(tx, payout.sellerId, { about: 'payout', payoutId: id, event: 'returned' })
  const details = { returnCode: why.returnCode, ...(isDead && { accountDead: true }) }
  await record(tx, aboutPayout(staff, payout, 'payout.returned', details))
  const update = { type: 'PAYOUT_UPDATE' } as const
  const { sellerId: userId, giftCardId: submissionId } = payout
  await publish(tx, [
    { to: 'staff', message: update },
    { to: { userId }, message: { ...update, userId, submissionId } },
  ])
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
  details: Record<string, unknown>,
) {
  return { actor, action, subject: { kind: 'payout', id }, details: { ...details, giftCardId } } as const
}
