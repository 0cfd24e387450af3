import { and, desc, eq, inArray } from 'drizzle-orm'
import type { PayoutAnswer } from '#contract/payouts.ts'
import { maskCardLike } from '#domain/card-number.ts'
import { isAboutLimit } from '#domain/failure.ts'
import { fileKindOf, mayMoveBatch, mayMovePayout } from '#domain/payout.ts'
import type { Context } from '#server/context.ts'
import { remindToConfirm } from '#server/features/accounts/sellers/account.ts'
import { record, recordReveal } from '#server/features/audit/actions.ts'
import { liftMarks, sumSameAccount } from '#server/features/books/dead-accounts.ts'
import {
  dissolveBatch,
  inFixedBatch,
  lockBatch,
  recordUnsent,
  takeOut,
} from '#server/features/books/payouts.ts'
import { type EnteredReference, requireUnusedReference } from '#server/features/books/references.ts'
import { requireNotStopped } from '#server/features/books/stop.ts'
import { requireUnclaimed } from '#server/features/claims/actions.ts'
import {
  failUnpaid,
  findReasonCode,
  openAccount,
  openCorrection,
  requireMayBePaid,
} from '#server/features/submissions/payout-effects.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { payoutResults, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { illegalPayoutMove, lockEntry, lockPayout, recordPaid, recordReturned } from './outcome.ts'
import { findPayoutStop } from './payout-stop.ts'
import { findPayout, type ReadingContext, toPayout } from './queries.ts'

export { countFailing, readCash } from './provider/cash.ts'

/** What staff do with one payout. */

export async function readPayout(
  { db, ...context }: ReadingContext & { readonly db: Executor },
  staff: Staff,
  id: string,
): Promise<PayoutAnswer> {
  const row = await findPayout(db, context.site, id)
  if (!row) throw notFound()
  const payout = toPayout(context, staff, row)
  return mayMovePayout(row.state, 'void')
    ? { ...payout, sameAccount: await sumSameAccount(db, row.giftCardId) }
    : payout
}

/** Since when payouts wait for an operator, and why. */
export async function readPayoutStop(db: Executor) {
  const stop = await findPayoutStop(db)
  return { stoppedAt: stop?.since ?? null, backupMadeAt: stop?.backupMadeAt ?? null }
}

/** The payout with its account in full. Records who revealed it. */
export async function revealPayout(context: Context, staff: Staff, id: string) {
  return transaction(context.db, async (tx) => {
    // Nobody needs the account in full until payouts may be sent again.
    await requireNotStopped(tx)
    const { card, payout } = await lockPayout(tx, id)
    const account = openAccount(context.keys, card)
    const entry = {
      actor: staff,
      action: 'payout.revealed',
      subject: { kind: 'payout', id },
      details: { giftCardId: payout.giftCardId },
    } as const
    await recordReveal(tx, entry, { id: payout.giftCardId, sellerId: payout.sellerId })
    const correction = await readCorrection(tx, context.keys, card, id)
    return { ...(await readPayout({ ...context, db: tx }, staff, id)), ...account, correction }
  })
}

/** The account details that a bank has on file, from its newest notification of change. */
async function readCorrection(
  tx: Transaction,
  keys: KeyRing,
  card: Parameters<typeof openCorrection>[1],
  payoutId: string,
): Promise<string | null> {
  const [result] = await tx
    .select({ id: payoutResults.id, sealed: payoutResults.sealedCorrection })
    .from(payoutResults)
    .where(and(eq(payoutResults.payoutId, payoutId), eq(payoutResults.kind, 'changed')))
    .orderBy(desc(payoutResults.at))
    .limit(1)
  return result?.sealed ? openCorrection(keys, card, result.id, result.sealed) : null
}

export async function markPaid(
  context: Context,
  staff: Staff,
  id: string,
  entered: EnteredReference,
): Promise<PayoutAnswer> {
  const { reference } = entered
  return transaction(context.db, async (tx) => {
    await requireMayRecord(tx, staff, id, entered)
    await recordPaid(tx, context, staff, { id, reference })
    await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
    return readPayout({ ...context, db: tx }, staff, id)
  })
}

/**
 * A payout of a worksheet is sent while it is recorded, so it needs what a payment by hand needs, and nobody else may be
 * working on it.
 */
async function requireMayRecord(
  tx: Transaction,
  staff: Staff,
  id: string,
  entered: EnteredReference,
): Promise<void> {
  const entry = await lockEntry(tx, id)
  const [{ payout }] = entry
  if (payout.state === 'exported' && fileKindOf(payout.paymentType) === 'worksheet') {
    if (!entered.reference) throw invalid([{ path: 'reference', code: 'reference_required' }])
    for (const { card } of entry) {
      await requireUnclaimed(tx, staff, card.id)
      await requireMayBePaid(tx, card)
    }
  }
  await requireUnusedReference(tx, payout.giftCardId, entered)
}

/** Records that the reverted payment by hand was not sent, so that the payout can be in a batch again. */
export async function markNotSent(context: Context, staff: Staff, id: string): Promise<PayoutAnswer> {
  return transaction(context.db, async (tx) => {
    const { payout } = await lockPayout(tx, id)
    const { giftCardId } = payout
    if (await recordUnsent(tx, giftCardId)) {
      const subject = { kind: 'payout', id } as const
      await record(tx, { actor: staff, action: 'payout.not_sent', subject, details: { giftCardId } })
      await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
    }
    return readPayout({ ...context, db: tx }, staff, id)
  })
}

/** Replaces the confirmation number of a paid payout and of all others of its payment. */
export async function correctReference(
  context: Context,
  staff: Staff,
  id: string,
  entered: EnteredReference & { reference: string },
): Promise<PayoutAnswer> {
  const { reference } = entered
  return transaction(context.db, async (tx) => {
    const entry = await lockEntry(tx, id)
    const [{ payout }] = entry
    if (payout.state !== 'paid') throw illegalPayoutMove(payout.state)
    if (payout.reference !== reference) {
      await requireUnusedReference(tx, payout.giftCardId, entered)
      const ids = entry.map((one) => one.payout.id)
      await tx.update(payouts).set({ reference }).where(inArray(payouts.id, ids))
      const change = { from: payout.reference && maskCardLike(payout.reference), to: maskCardLike(reference) }
      await record(tx, {
        actor: staff,
        action: 'payout.reference_corrected',
        subject: { kind: 'payout', id },
        details: { giftCardId: payout.giftCardId, reference: change },
      })
      await publish(tx, [
        { to: 'staff', message: { type: 'PAYOUT_UPDATE' } },
        ...entry.map(({ payout: { sellerId: userId, giftCardId: submissionId } }) => ({
          to: { userId },
          message: { type: 'PAYOUT_UPDATE' as const, userId, submissionId },
        })),
      ])
    }
    return readPayout({ ...context, db: tx }, staff, id)
  })
}

export async function markReturned(
  context: Context,
  staff: Staff,
  id: string,
  reason: string,
): Promise<PayoutAnswer> {
  return transaction(context.db, async (tx) => {
    const [{ payout }] = await lockEntry(tx, id)
    // PayPal can still pay it, so the seller must not get another payout.
    if (payout.providerState) throw new Refusal('illegal_payout_move', 'refusals.payout_with_provider')
    const { locale } = await readPayout({ ...context, db: tx }, staff, id)
    const isLimit = isAboutLimit(findReasonCode(context.words[locale], reason))
    const why = { returnCode: null, returnReason: maskCardLike(reason) }
    await recordReturned(tx, context, staff, { id, isLimit, ...why })
    return readPayout({ ...context, db: tx }, staff, id)
  })
}

/** Lets the account of a payout be paid again, because the bank's report was wrong or is outdated. */
export async function liftDeadAccount(
  context: Context,
  staff: Staff,
  id: string,
  reason: string,
): Promise<PayoutAnswer> {
  return transaction(context.db, async (tx) => {
    const { submissionId: giftCardId } = await readPayout({ ...context, db: tx }, staff, id)
    const codes = await liftMarks(tx, id, staff.id)
    if (codes.length > 0) {
      const details = { giftCardId, codes, reason: maskCardLike(reason) }
      await record(tx, {
        actor: staff,
        action: 'payout.account_lifted',
        subject: { kind: 'payout', id },
        details,
      })
      await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
    }
    return readPayout({ ...context, db: tx }, staff, id)
  })
}

/** Emails the seller of a payout the link that confirms their address again, if it waits for that. */
export async function remindSeller(context: Context, staff: Staff, id: string): Promise<PayoutAnswer> {
  return transaction(context.db, async (tx) => {
    const payout = await readPayout({ ...context, db: tx }, staff, id)
    if (await remindToConfirm(tx, payout.sellerId)) {
      const subject = { kind: 'payout', id } as const
      const details = { giftCardId: payout.submissionId }
      await record(tx, { actor: staff, action: 'payout.confirmation_sent', subject, details })
    }
    return payout
  })
}

/** Cancels a payout that was not exported, and fails its submission. Dissolves its batch if that is frozen or released. */
export async function voidPayout(
  context: Context,
  staff: Staff,
  id: string,
  reason: string,
): Promise<PayoutAnswer> {
  return transaction(context.db, async (tx) => {
    const { card, payout } = await lockPayout(tx, id)
    if (!mayMovePayout(payout.state, 'void')) {
      if (payout.state === 'exported' || payout.state === 'paid') {
        throw new Refusal('payout_sent', 'refusals.payout_sent')
      }
      throw illegalPayoutMove(payout.state)
    }
    const { giftCardId, batchId } = payout
    const batch = batchId === null ? undefined : await lockBatch(tx, batchId)
    if (batch && batch.state !== 'open') await dissolveBatch(tx, batch, staff, { voidedPayout: id })
    await failUnpaid(tx, context, card, { staff, reason })
    const subject = { kind: 'payout', id } as const
    await record(tx, { actor: staff, action: 'payout.voided', subject, details: { giftCardId } })
    await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
    return readPayout({ ...context, db: tx }, staff, id)
  })
}

/** Takes a payout out of a batch that was not released. It is due again, and a frozen batch is open again. */
export async function takeOutPayout(context: Context, staff: Staff, id: string): Promise<PayoutAnswer> {
  return transaction(context.db, async (tx) => {
    const { payout } = await lockPayout(tx, id)
    const batch = payout.batchId === null ? undefined : await lockBatch(tx, payout.batchId)
    if (!batch || !mayMovePayout(payout.state, 'unbatch')) throw illegalPayoutMove(payout.state)
    if (!mayMoveBatch(batch.state, 'takeOut')) throw inFixedBatch(batch)
    await takeOut(tx, payout, batch, staff)
    await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
    return readPayout({ ...context, db: tx }, staff, id)
  })
}
