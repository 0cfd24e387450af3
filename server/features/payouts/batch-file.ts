import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { FileKind } from '#domain/payout.ts'
import { batchMoves, mayMoveBatch, payoutMoves } from '#domain/payout.ts'
import { referenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { recordReveal } from '#server/features/audit/actions.ts'
import { type Batch, forgetPlans, lockBatch } from '#server/features/books/payouts.ts'
import { requireNotStopped } from '#server/features/books/stop.ts'
import { openAccount } from '#server/features/submissions/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { giftCards, payoutBatches, payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publishMany } from '#server/platform/live/publish.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { DATA_KEY_COLUMN, newDataKey, open, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'
import { lockSellers, requireMayLeave } from './batchable.ts'
import { composeFile, expectedArrival, type FilePayment } from './files/compose.ts'
import { enqueuePayoutMails } from './payout-mail.ts'

/** The file of a batch: made once, sealed, and the same bytes each time it is downloaded. */

/** Payouts whose accounts are opened before other requests get their turn: about 10 ms of work. */
const OPENED_AT_ONCE = 100

const contextOf = (row: string, column: string) => ({ table: 'payout_batches', column, row })

/** The columns of a released batch. Throws `erased` or `VaultError` if an account cannot be opened. */
export async function makeFile(tx: Transaction, { keys, site }: Context, { id, fileKind, number }: Batch) {
  const payments: FilePayment[] = []
  for (let after = 0; ; ) {
    const rows = await readSealed(tx, id, after)
    const last = rows.at(-1)
    if (!last) break
    for (const { card, ...payment } of rows) {
      payments.push({ ...payment, ...openAccount(keys, card), reference: referenceOf(card.id) })
    }
    after = last.position
    await setImmediate()
  }
  const { bytes, name, expectedOn } = await composeFile(fileKind, {
    batchNumber: number,
    madeAt: new Date((await readClock(tx))()),
    payments,
    settings: site.payouts,
    productName: site.productName,
  })
  const fileSha256 = createHash('sha256').update(bytes).digest('hex')
  return { ...sealFile(keys, id, bytes), fileName: name, fileSha256, expectedOn }
}

async function readSealed(tx: Transaction, batchId: string, after: number) {
  return tx
    .select({
      position: sql<number>`${payouts.batchPosition}`,
      payoutId: payouts.id,
      payoutNumber: payouts.number,
      amount: payouts.amount,
      paymentType: payouts.paymentType,
      accountName: giftCards.paymentAccountName,
      card: {
        id: giftCards.id,
        dataKey: giftCards.dataKey,
        secretsErasedAt: giftCards.secretsErasedAt,
        paymentAccountInfo: giftCards.paymentAccountInfo,
        paymentRoutingNumber: giftCards.paymentRoutingNumber,
        paymentAccountNumber: giftCards.paymentAccountNumber,
      },
    })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .where(and(eq(payouts.batchId, batchId), gt(payouts.batchPosition, after)))
    .orderBy(asc(payouts.batchPosition))
    .limit(OPENED_AT_ONCE)
}

function sealFile(keys: KeyRing, id: string, bytes: Buffer): { dataKey: Buffer; sealedFile: Buffer } {
  const dataKey = newDataKey()
  try {
    return {
      dataKey: wrapKey(keys, dataKey, contextOf(id, DATA_KEY_COLUMN)),
      sealedFile: seal(dataKey, bytes, contextOf(id, 'sealed_file')),
    }
  } finally {
    dataKey.fill(0)
  }
}

interface BatchFile {
  readonly bytes: Buffer
  readonly name: string
  readonly kind: FileKind
}

/**
 * The file of a released batch; each time is recorded. The first time marks its payouts as exported. Throws `Refusal` before that
 * if one of them must no longer be paid: a released batch does not change, so it has to be dissolved.
 */
export async function exportFile({ db, keys, site }: Context, staff: Staff, id: string): Promise<BatchFile> {
  return transaction(db, async (tx) => {
    const batch = await lockBatch(tx, id)
    if (!batch) throw notFound()
    const isFirst = mayMoveBatch(batch.state, 'export')
    if (!isFirst && batch.state !== 'exported') {
      const params = { state: batch.state }
      throw new Refusal('illegal_batch_move', 'refusals.illegal_batch_move', { params })
    }
    if (isFirst) {
      await requireNotStopped(tx)
      await lockSellers(tx, id)
      await requireMayLeave(tx, site, id)
    }
    const bytes = await openFile(tx, keys, batch)
    if (isFirst) await markExported(tx, staff, batch)
    await recordReveal(tx, {
      actor: staff,
      action: 'payout_batch.exported',
      subject: { kind: 'payout_batch', id },
      details: { first: isFirst, count: batch.count, sha256: batch.fileSha256 },
    })
    return { bytes, name: batch.fileName ?? '', kind: batch.fileKind }
  })
}

async function openFile(tx: Transaction, keys: KeyRing, { id, dataKey: wrapped }: Batch): Promise<Buffer> {
  const { sealedFile } = onlyRow(
    await tx
      .select({ sealedFile: payoutBatches.sealedFile })
      .from(payoutBatches)
      .where(eq(payoutBatches.id, id)),
  )
  if (!wrapped || !sealedFile) throw new Error('A released batch has no file')
  const dataKey = unwrapKey(keys, wrapped, contextOf(id, DATA_KEY_COLUMN))
  try {
    return open(dataKey, sealedFile, contextOf(id, 'sealed_file'))
  } finally {
    dataKey.fill(0)
  }
}

async function markExported(tx: Transaction, staff: Staff, { id, fileKind }: Batch): Promise<void> {
  const now = new Date((await readClock(tx))())
  const exported = await tx
    .update(payouts)
    .set({ state: payoutMoves.export.to, sentAt: sql`now()` })
    .where(and(eq(payouts.batchId, id), eq(payouts.state, 'released')))
    .returning({ userId: payouts.sellerId, submissionId: payouts.giftCardId })
  await forgetPlans(tx)
  await tx
    .update(payoutBatches)
    .set({
      state: batchMoves.export.to,
      exportedBy: staff.id,
      exportedAt: sql`now()`,
      // A file that is sent later than it was made settles later than its effective date.
      expectedOn: sql`greatest(expected_on, ${expectedArrival(fileKind, now)}::date)`,
    })
    .where(eq(payoutBatches.id, id))
  await enqueuePayoutMails(tx, id)
  const type = 'PAYOUT_UPDATE' as const
  await publishMany(tx, [
    { to: 'staff', message: { type } },
    ...exported.map((sent) => ({ to: { userId: sent.userId }, message: { type, ...sent } })),
  ])
}
