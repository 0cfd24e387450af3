import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { referenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { leadsPayment } from '#server/features/books/entries.ts'
import type { Batch } from '#server/features/books/payouts.ts'
import { openAccount, sealedAccount } from '#server/features/submissions/payout-effects.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { giftCards, payoutBatches, payouts } from '#server/platform/database/schema.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { DATA_KEY_COLUMN, newDataKey, open, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'
import { composeFile, type FilePayment } from './files/compose.ts'

/** The file of a batch, or the request to its provider: made once, sealed, and the same bytes each time. */

/** Payouts whose accounts are opened before other requests get their turn: about 10 ms of work. */
const OPENED_AT_ONCE = 100

const contextOf = (row: string, column: string) => ({ table: 'payout_batches', column, row })

/** The columns of a released batch, whose file also has prenotes. Throws `erased` or `VaultError` if an account cannot be opened. */
export async function makeFile(
  tx: Transaction,
  { keys, site }: Context,
  { id, fileKind, number }: Batch,
  {
    prenotes,
    sameDay,
    provider,
  }: { prenotes: readonly FilePayment[]; sameDay: boolean; provider?: PayoutProvider | undefined },
) {
  const payments = [...prenotes]
  for (let after = 0; ; ) {
    const rows = await readSealed(tx, id, after)
    const last = rows.at(-1)
    if (!last) break
    for (const { card, entry, amount, ...payment } of rows) {
      payments.push({
        ...payment,
        ...openAccount(keys, card),
        amount: entry.total ?? amount,
        reference: referenceOf(card.id),
        otherReferences: entry.otherCards.map(referenceOf),
      })
    }
    after = last.position
    await setImmediate()
  }
  const { bytes, name, expectedOn } = await composeFile(fileKind, {
    batchNumber: number,
    sameDay,
    madeAt: new Date((await readClock(tx))()),
    payments,
    settings: site.payouts,
    productName: site.productName,
    ...(provider && { sentBy: { provider, batchId: id } }),
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
      accountType: giftCards.paymentAccountType,
      entry: {
        total: payouts.entryTotal,
        otherCards: sql<string[]>`array(
          select other.gift_card_id from payouts other
          where other.entry_number = ${payouts.entryNumber} and other.id <> ${payouts.id} order by other.number
        )`,
      },
      card: sealedAccount,
    })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .where(and(eq(payouts.batchId, batchId), gt(payouts.batchPosition, after), leadsPayment))
    .orderBy(asc(payouts.batchPosition))
    .limit(OPENED_AT_ONCE)
}

/** The columns of a batch with its sealed file. */
export function sealFile(keys: KeyRing, id: string, bytes: Buffer): { dataKey: Buffer; sealedFile: Buffer } {
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

/** The bytes of a released batch. Throws `VaultError` if they cannot be opened. */
export async function openFile(
  tx: Transaction,
  keys: KeyRing,
  { id, dataKey: wrapped }: Batch,
): Promise<Buffer> {
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
