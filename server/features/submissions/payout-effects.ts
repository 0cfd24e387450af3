import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { requireSafeApproval } from './desk/risks.ts'
import { searchCondition } from './desk/search.ts'
import { requireMayBePaid } from './desk/seller-page/state.ts'
import { allowedMove, makeMove } from './move.ts'
import { type CardRow, lockCard } from './queries.ts'
import { erased, sealText, unsealText } from './reasons.ts'
import { cardNumberIndex, correctionContext, openSecrets, type SealedRow } from './secrets.ts'

export { askBalance } from './balance-requests.ts'
export { completeConfirmed } from './complete.ts'
export { hasOpenRisk, needsBalanceCheck } from './desk/risks.ts'
export { requireMayBePaid } from './desk/seller-page/state.ts'
export { isOnHold } from './holds.ts'
export { failedForAccount, lockCards, needsAccount } from './queries.ts'
export { findReasonCode, openReason, type SealingContext, type StoredReason } from './reasons.ts'
export { accountIndexes } from './secrets.ts'

// What happens to a submission because of its payout. Each function expects that `lockForPayout` has locked the submission.

type LockedForPayout = NonNullable<Awaited<ReturnType<typeof lockCard>>>

/** Locks a submission before its payout, the order in which all changes lock them. */
export async function lockForPayout(tx: Transaction, giftCardId: string): Promise<LockedForPayout> {
  const card = await lockCard(tx, giftCardId)
  if (!card) throw notFound()
  return card
}

/** Completes an approved submission, whose payout counts as paid by hand. Refuses a held seller and a submission on hold. */
export async function completePaidByHand(
  tx: Transaction,
  context: Context,
  card: LockedForPayout,
  { staff, reference }: { staff: Staff; reference?: string | undefined },
): Promise<void> {
  const move = await allowedMove(tx, card, 'staff', { to: 'completed' })
  await requireMayBePaid(tx, card)
  await requireSafeApproval(tx, context, card, move)
  await makeMove(tx, context, card, staff, move, { reference })
}

/** Completes an approved submission whose payout sends nothing. */
export async function completeUnsent(
  tx: Transaction,
  context: Context,
  card: LockedForPayout,
): Promise<void> {
  const move = await allowedMove(tx, card, 'system', { to: 'completed' })
  await makeMove(tx, context, card, { kind: 'system' }, move)
}

/** Moves a completed submission back to processing, because its payout came back. */
export async function revertReturned(
  tx: Transaction,
  context: Context,
  card: LockedForPayout,
): Promise<void> {
  const move = await allowedMove(tx, card, 'system', { to: 'processing' })
  await makeMove(tx, context, card, { kind: 'system' }, move)
}

/** Moves an approved submission back to the queue, which cancels its payout, because the card holds less than before. */
export async function returnToQueue(tx: Transaction, context: Context, card: LockedForPayout): Promise<void> {
  const move = await allowedMove(tx, card, 'system', { to: 'pending' })
  await makeMove(tx, context, card, { kind: 'system' }, move)
}

/** Fails an approved submission, which cancels its payout. */
export async function failUnpaid(
  tx: Transaction,
  context: Context,
  card: LockedForPayout,
  { staff, reason }: { staff: Staff; reason: string },
): Promise<void> {
  const move = await allowedMove(tx, card, 'staff', { to: 'failed', reason })
  await makeMove(tx, context, card, staff, move, { text: reason })
}

const accountFields = ['paymentAccountInfo', 'paymentRoutingNumber', 'paymentAccountNumber'] as const

interface SealedAccount extends SealedRow, Readonly<Record<(typeof accountFields)[number], Buffer | null>> {
  readonly secretsErasedAt: Date | null
}

/** The columns of a `SealedAccount`. */
export const sealedAccount = {
  id: giftCards.id,
  dataKey: giftCards.dataKey,
  secretsErasedAt: giftCards.secretsErasedAt,
  paymentAccountInfo: giftCards.paymentAccountInfo,
  paymentRoutingNumber: giftCards.paymentRoutingNumber,
  paymentAccountNumber: giftCards.paymentAccountNumber,
}

/** The payout account in full. Throws `erased`, or `VaultError` if it was changed. */
export function openAccount(keys: KeyRing, card: SealedAccount) {
  if (card.secretsErasedAt || !card.dataKey) throw erased(card)
  const { paymentAccountInfo, paymentRoutingNumber, paymentAccountNumber } = openSecrets(
    keys,
    card,
    accountFields,
  )
  return {
    accountInfo: paymentAccountInfo ?? '',
    routingNumber: paymentRoutingNumber ?? null,
    accountNumber: paymentAccountNumber ?? null,
  }
}

/** A condition on `gift_cards` that are not cleared: the text may be an ID, a brand, a seller, an amount or a card number. */
export async function searchCards(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  { role }: Pick<Staff, 'role'>,
  q: string,
): Promise<SQL> {
  const found = await searchCondition(db, { q, role, numberIndex: cardNumberIndex(keys, q) })
  return sql`gift_cards.cleared_at is null and ${found}`
}

/** The number and PIN of a submission. Throws `erased` if they were erased. The caller records that somebody saw them. */
export function openCodes(
  keys: KeyRing,
  card: Pick<CardRow, 'id' | 'dataKey' | 'cardNumber' | 'securityCode' | 'secretsErasedAt'>,
): { cardNumber: string; securityCode: string } {
  if (card.secretsErasedAt || !card.dataKey) throw erased(card)
  const { cardNumber = '', securityCode = '' } = openSecrets(keys, card, ['cardNumber', 'securityCode'])
  return { cardNumber, securityCode }
}

/**
 * Seals the account details that a bank reported, under the data key of the submission, so that they are erased with it. Null if
 * its secrets were erased.
 * @param resultId the row that will hold them
 */
export function sealCorrection(
  keys: KeyRing,
  { id, dataKey }: SealedRow,
  resultId: string,
  text: string,
): Buffer | null {
  if (!dataKey) return null
  return sealText(keys, { id, dataKey }, correctionContext(resultId), text).sealed
}

/** What `sealCorrection` sealed. Throws `VaultError` if it was changed. */
export function openCorrection(
  keys: KeyRing,
  { id, dataKey }: SealedRow,
  resultId: string,
  sealed: Buffer,
): string | null {
  return dataKey && unsealText(keys, { id, dataKey }, correctionContext(resultId), sealed)
}
