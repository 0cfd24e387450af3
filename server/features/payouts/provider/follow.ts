import { eq, sql } from 'drizzle-orm'
import {
  itemOutcomeOf,
  mayHaveLeft,
  type ProviderProblem,
  type WaitingItemState,
} from '#domain/payout-provider.ts'
import { dayIn } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { leadsPayment } from '#server/features/books/entries.ts'
import { post } from '#server/features/books/ledger.ts'
import { type Batch, lockBatch } from '#server/features/books/payouts.ts'
import { system } from '#server/http/actor.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { payouts } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import {
  type PayoutProvider,
  type ProviderBatch,
  ProviderError,
  type ProviderItem,
} from '#server/platform/payout-provider/payout-provider.ts'
import { sizeOf, updateBatch } from '../batches.ts'
import { findStaff } from '../confirm.ts'
import { markExported } from '../export.ts'
import { applyLines } from '../returns/import.ts'
import { OUR_ID, toPaypalResult } from '../returns/paypal-results.ts'
import type { ResultLine } from '../returns/result-line.ts'
import { markPaidLate } from './paid-late.ts'

/** Seconds until a batch is read again: while the provider works on it, while a payout waits, and when only a reversal can come. */
const WORKING = 60
const WAITING = 3600
const ENDED = 86_400
/** Nothing is reversed later than this. Webhooks are still taken. */
const FOLLOWED_DAYS = 60

/** Reads the provider's results for a batch, and records them. */
export async function followBatch(
  context: Context,
  provider: PayoutProvider,
  { id, sentId }: { id: string; sentId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, site } = context
  const read = await provider.readBatch(sentId, signal)
  if (read.senderId !== id) throw new ProviderError('differs', { detail: read.senderId.slice(0, 60) })
  const batch = await transaction(db, (tx) => begin(tx, site, id, read))
  if (!batch) return
  const lines = read.items.flatMap(toLine)
  const actor = batch.releasedBy ? await findStaff(context, batch.releasedBy) : system
  const { unmatched } = await applyLines(context, actor, lines)
  for (const { text } of unmatched) context.log.warn({ part: 'payout provider' }, `not applied: ${text}`)
  await transaction(db, (tx) => finish(tx, context, id, read, unmatched.length === 0))
}

/**
 * Marks the batch as exported as soon as the provider pays it, which tells the sellers. Until then nothing has left, and a batch that
 * is denied never leaves. An abandoned batch only holds the new payouts.
 *
 * @returns the batch if there are results to record
 */
async function begin(
  tx: Transaction,
  site: Context['site'],
  id: string,
  read: ProviderBatch,
): Promise<Batch | undefined> {
  const batch = await lockBatch(tx, id)
  if (!batch) return undefined
  if (batch.state === 'exported' || batch.state === 'settled') return batch
  const { state, items, error } = read
  if (batch.state === 'rejected') {
    const paid = await markPaidLate(tx, batch, read)
    await bookFees(tx, batch, read.fees)
    await note(tx, id, {
      state,
      problem: paid > 0 ? 'paid_late' : null,
      next: hasEnded(state) ? null : WORKING,
    })
    return undefined
  }
  if (batch.state !== 'released') return undefined
  const hasLeft = items.some((item) => mayHaveLeft(item.state))
  if ((state === 'denied' || state === 'canceled') && !hasLeft) {
    await note(tx, id, { state, problem: 'refused', detail: error, next: null })
    return undefined
  }
  if (state === 'pending') {
    await note(tx, id, { state, next: WORKING })
    return undefined
  }
  await markExported(tx, site, batch, null)
  await tx.update(payouts).set({ providerState: 'pending' }).where(eq(payouts.batchId, id))
  await record(tx, {
    actor: system,
    action: 'payout_batch.marked_exported',
    subject: { kind: 'payout_batch', id },
    details: { count: batch.count, sha256: batch.fileSha256, provider: batch.provider },
  })
  return batch
}

interface Note {
  readonly state: Batch['providerState']
  readonly problem?: ProviderProblem | null
  readonly detail?: string | null
  /** Seconds. Null: never. */
  readonly next: number | null
}

async function note(tx: Transaction, id: string, { state, problem = null, detail = null, next }: Note) {
  await updateBatch(tx, id, {
    providerState: state,
    providerProblem: problem,
    providerDetail: detail,
    providerAttempts: 0,
    // A webhook that arrived in the meantime wants it read at once.
    providerNextAt: sql`case when provider_next_at <= now() then provider_next_at
      else now() + make_interval(secs => ${next}::integer) end`,
  })
  await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
}

/** What an item says, if the provider has decided. */
function toLine({ senderId, state, amount, transactionId }: ProviderItem, index: number): ResultLine[] {
  const outcome = itemOutcomeOf(state)
  if (typeof outcome === 'object' && 'waits' in outcome) return []
  const [, number] = OUR_ID.exec(senderId) ?? []
  const line = { line: index + 1, shown: `${senderId.slice(0, 40)}, ${state.slice(0, 40)}` }
  if (!outcome || !number || amount === null || !/^[\w-]{0,40}$/.test(transactionId)) {
    return [{ ...line, result: { why: 'it cannot be read' } }]
  }
  const code = outcome === 'paid' ? undefined : outcome.code
  return [{ ...line, result: toPaypalResult(code, { number, transaction: transactionId, amount }) }]
}

/** Books the fees, notes what the payouts wait for, and settles the batch when the provider has ended it. */
async function finish(
  tx: Transaction,
  { site }: Context,
  id: string,
  { state, items, fees }: ProviderBatch,
  isAllApplied: boolean,
): Promise<void> {
  const batch = await lockBatch(tx, id)
  if (!batch) return
  await noteWaiting(tx, id, items)
  await bookFees(tx, batch, fees)
  const { payments, amount, open } = await sumUp(tx, id)
  const isOver = hasEnded(state)
  if (isOver && batch.state === 'exported') await settleByProvider(tx, site, batch)
  // While the provider works on a batch, it need not list every item.
  const isComplete =
    !isOver ||
    (items.length === payments && items.reduce((sum, item) => sum + (item.amount ?? 0), 0) === amount)
  const isOld = Date.now() - (batch.exportedAt ?? new Date()).getTime() > FOLLOWED_DAYS * 86_400_000
  await note(tx, id, {
    state,
    problem: isAllApplied && isComplete ? null : 'differs',
    next: !isOver ? WORKING : open > 0 ? WAITING : isOld ? null : ENDED,
  })
}

const hasEnded = (state: ProviderBatch['state']): boolean =>
  state === 'success' || state === 'denied' || state === 'canceled'

async function bookFees(tx: Transaction, { id, paymentTypes, providerFee }: Batch, fees: number) {
  const [paymentType = 'paypal'] = paymentTypes
  await post(tx, 'fee', { amount: fees - providerFee, paymentType }, { batchId: id })
  await updateBatch(tx, id, { providerFee: fees })
}

async function noteWaiting(tx: Transaction, batchId: string, items: readonly ProviderItem[]): Promise<void> {
  const waiting = items.flatMap(({ senderId, state }): [string, WaitingItemState][] => {
    const outcome = itemOutcomeOf(state)
    const [, number] = OUR_ID.exec(senderId) ?? []
    return number && typeof outcome === 'object' && 'waits' in outcome ? [[number, outcome.waits]] : []
  })
  await tx.execute(sql`
    update payouts set provider_state = item.state
    from unnest(${sql.param(waiting.map(([number]) => number))}::bigint[], ${sql.param(waiting.map(([, state]) => state))}::text[])
      as item (number, state)
    where batch_id = ${batchId} and payouts.state = 'exported' and coalesce(entry_number, payouts.number) = item.number
      and provider_state is distinct from item.state`)
}

/** What was sent, and how many payouts are neither paid nor returned. */
async function sumUp(tx: Transaction, batchId: string) {
  return onlyRow(
    await tx
      .select({
        payments: sql`count(*) filter (where ${leadsPayment})`.mapWith(Number),
        amount: sql`coalesce(sum(${payouts.amount}), 0)`.mapWith(Number),
        open: sql`count(*) filter (where ${payouts.state} = 'exported')`.mapWith(Number),
      })
      .from(payouts)
      .where(eq(payouts.batchId, batchId)),
  )
}

/** The provider's word that a batch has ended is what a statement is for a file. Payouts can still come back. */
async function settleByProvider(tx: Transaction, { timeZone }: Context['site'], batch: Batch): Promise<void> {
  const on = dayIn(timeZone)
  await updateBatch(tx, batch.id, { state: 'settled', settledAt: sql`now()`, settledOn: on })
  await record(tx, {
    actor: system,
    action: 'payout_batch.settled',
    subject: { kind: 'payout_batch', id: batch.id },
    details: { ...sizeOf(batch), on, provider: batch.provider },
  })
}
