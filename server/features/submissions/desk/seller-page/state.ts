import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { stateChange } from '#contract/sellers.ts'
import { paymentStop, type SellerState, sellerStateRules } from '#domain/seller-state.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { type Staff, signedOut } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, giftCards, notes, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import { isOnHold } from '../../holds.ts'
import { insertNote } from './notes.ts'

/** Changes what a seller may do. The reason becomes a note. Throws `Refusal` if the state is not the one that was seen. */
export async function changeState(
  { db, keys }: Context,
  staff: Staff,
  sellerId: string,
  { state, reason, from: seen }: z.output<typeof stateChange>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const [seller] = await selectState(tx, sellerId).for('update')
    if (!seller || seller.deletedAt) throw notFound()
    const from = seller.state
    if (seen !== undefined && seen !== from) {
      const params = { state: from, by: (await findChanger(tx, sellerId)) ?? '' }
      throw new Refusal('seller_changed', 'refusals.seller_changed', { params })
    }
    await tx.update(users).set({ state }).where(eq(users.id, sellerId))
    await insertNote(tx, keys, staff, { userId: sellerId, state, text: reason })
    await record(tx, {
      actor: staff,
      action: 'seller.state_changed',
      subject: { kind: 'seller', id: sellerId },
      // Leaves out the reason: it may quote a number, which could never be erased from the audit log.
      details: { from, to: state },
    })
    await publish(tx, [{ to: 'staff', message: { type: 'SELLER_UPDATE', userId: sellerId } }])
  })
}

/** The username of who changed the state last. */
async function findChanger(tx: Transaction, sellerId: string): Promise<string | undefined> {
  const [last] = await tx
    .select({ username: administrators.username })
    .from(notes)
    .innerJoin(administrators, eq(administrators.id, notes.administratorId))
    .where(and(eq(notes.userId, sellerId), isNotNull(notes.state)))
    .orderBy(desc(notes.id))
    .limit(1)
  return last?.username
}

/** Throws `Refusal` if the seller may not submit now, or has just deleted the account. */
export async function requireMaySubmit(db: Executor, sellerId: string): Promise<void> {
  checkMaySubmit(await selectState(db, sellerId))
}

/** As `requireMaySubmit`, and neither can change until the transaction ends. */
export async function lockMaySubmit(tx: Transaction, sellerId: string): Promise<void> {
  checkMaySubmit(await selectState(tx, sellerId).for('key share'))
}

function checkMaySubmit([seller]: readonly { state: SellerState; deletedAt: Date | null }[]): void {
  if (!seller || seller.deletedAt) throw signedOut()
  if (!sellerStateRules[seller.state].maySubmit) {
    throw new Refusal('seller_blocked', 'refusals.seller_blocked')
  }
}

/** The state, which cannot change until the transaction ends. Waits for no other change of the account. */
export async function lockState(tx: Transaction, sellerId: string): Promise<SellerState> {
  return stateIn(await selectState(tx, sellerId).for('key share').prepare('lock_seller_state').execute())
}

function selectState(db: Executor, sellerId: string) {
  return db
    .select({ state: users.state, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, sellerId))
}

function stateIn([seller]: readonly { state: SellerState }[]): SellerState {
  if (!seller) throw notFound()
  return seller.state
}

/**
 * Throws `Refusal` if the seller of a locked submission is not paid, or a hold stops the payment. Neither can change until the
 * transaction ends.
 */
export async function requireMayBePaid(
  tx: Transaction,
  { id, sellerId }: { readonly id: string; readonly sellerId: string },
): Promise<void> {
  const hold = tx.select({ isOnHold }).from(giftCards).where(eq(giftCards.id, id)).prepare('is_on_hold')
  const [sellerState, [held]] = await Promise.all([lockState(tx, sellerId), hold.execute()])
  const stop = paymentStop({ sellerState, isOnHold: held?.isOnHold === true })
  if (stop) throw new Refusal(stop, `refusals.${stop}`)
}
