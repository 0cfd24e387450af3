import { eq, sql } from 'drizzle-orm'
import { REPEATABLE_DAYS } from '#domain/payout-provider.ts'
import type { Context } from '#server/context.ts'
import { type Batch, lockBatch } from '#server/features/books/payouts.ts'
import { requireNotStopped } from '#server/features/books/stop.ts'
import { type Staff, type System, system } from '#server/http/actor.ts'
import { Refusal, valuesOf } from '#server/http/refusal.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { payoutBatches } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { publish } from '#server/platform/live/publish.ts'
import {
  type PayoutProvider,
  ProviderError,
  type SentBatch,
} from '#server/platform/payout-provider/payout-provider.ts'
import { openFile } from '../batch-file.ts'
import { lockSellers, requireMayLeave } from '../batchable.ts'
import { recordAndTell, updateBatch } from '../batches.ts'
import { followBatch } from './follow.ts'

/**
 * Sends the released batches of the provider, and follows them until nothing can change any more. The row of a batch says when its
 * next step is due, so that a step continues after a crash, on any server.
 */

/** Until another server may take over a step. Longer than any step takes, but nothing breaks if two servers make the same one. */
const LEASE_SECONDS = 300
/** Seconds between attempts of a step that fails. */
const FIRST_RETRY = 30
const LONGEST_RETRY = 600

/** Makes every step that is due. Several servers may do it at once. */
export async function advanceBatches(context: Context, signal: AbortSignal): Promise<void> {
  const { payoutProvider: provider } = context
  while (provider && !signal.aborted) {
    const batch = await leaseBatch(context)
    if (!batch) return
    await advance(context, provider, batch, signal)
  }
}

/** Whether a provider has batches that are not settled yet. */
export async function hasBatchesWithProvider(db: Database): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from payout_batches where provider is not null and state in ('released', 'exported') limit 1`)
  return rows.length > 0
}

type Leased = Pick<Batch, 'id' | 'provider' | 'providerAccount' | 'providerBatchId' | 'providerAttempts'>

async function leaseBatch({ db }: Context): Promise<Leased | undefined> {
  const [batch] = await db
    .update(payoutBatches)
    .set({
      providerNextAt: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
      providerAttempts: sql`provider_attempts + 1`,
    })
    .where(
      sql`id = (
        select id from payout_batches where provider_next_at <= now() and state in ('released', 'exported', 'settled', 'rejected')
        order by provider_next_at limit 1 for update skip locked)`,
    )
    .returning({
      id: payoutBatches.id,
      provider: payoutBatches.provider,
      providerAccount: payoutBatches.providerAccount,
      providerBatchId: payoutBatches.providerBatchId,
      providerAttempts: payoutBatches.providerAttempts,
    })
  return batch
}

async function advance(
  context: Context,
  provider: PayoutProvider,
  batch: Leased,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (
      batch.provider !== provider.name ||
      (batch.providerAccount ?? provider.account) !== provider.account
    ) {
      throw new ProviderError('other_account')
    }
    const sentId = batch.providerBatchId ?? (await send(context, provider, batch, signal))
    if (sentId) await followBatch(context, provider, { id: batch.id, sentId }, signal)
  } catch (error) {
    await noteProblem(context, batch, toProviderError(context, error))
  }
}

/** @returns the provider's id of the batch; undefined if it must not be sent any more */
async function send(
  context: Context,
  provider: PayoutProvider,
  { id, providerAttempts: attempt }: Leased,
  signal: AbortSignal,
): Promise<string | undefined> {
  // An outage is noticed before anything says that the batch may have left.
  await provider.signIn(signal)
  const begun = await transaction(context.db, (tx) => beginSending(tx, context, provider, id))
  if (!begun) return undefined
  const sent = await provider.sendBatch(begun.request, signal).catch(async (error) => {
    if (error instanceof ProviderError && !error.isUnsure && !begun.isRepeated) {
      await transaction(context.db, (tx) => keepWaiting(tx, id, attempt))
    }
    throw error
  })
  await transaction(context.db, (tx) => recordSent(tx, system, provider, { id, sent }))
  return sent.id
}

/**
 * Marks a batch as one that the provider may have, before it is asked: after a crash, nobody can tell. From then on it is not
 * dissolved, and only the same request is repeated.
 */
async function beginSending(tx: Transaction, { site, keys }: Context, provider: PayoutProvider, id: string) {
  const batch = await lockBatch(tx, id)
  if (batch?.state !== 'released' || batch.providerBatchId) return undefined
  const { providerState, releasedAt } = batch
  if (providerState !== 'waiting' && providerState !== 'sending') return undefined
  await requireNotStopped(tx)
  await lockSellers(tx, id)
  await requireMayLeave(tx, site, id)
  if (Date.now() - (releasedAt ?? batch.createdAt).getTime() > REPEATABLE_DAYS * 86_400_000) {
    throw new ProviderError('too_old')
  }
  await updateBatch(tx, id, {
    providerState: 'sending',
    providerAccount: provider.account,
  })
  return { request: (await openFile(tx, keys, batch)).toString(), isRepeated: providerState === 'sending' }
}

/** The provider refused the batch for certain, so it can be dissolved. Not if another server has asked since. */
async function keepWaiting(tx: Transaction, id: string, attempt: number): Promise<void> {
  const batch = await lockBatch(tx, id)
  if (batch?.providerState !== 'sending' || batch.providerAttempts !== attempt || batch.providerBatchId)
    return
  await updateBatch(tx, id, { providerState: 'waiting', providerAccount: null })
}

/** Records that the provider has the batch, also if it was abandoned: then it is read all the same. */
export async function recordSent(
  tx: Transaction,
  actor: Staff | System,
  provider: Pick<PayoutProvider, 'name'>,
  { id, sent }: { id: string; sent: SentBatch },
): Promise<void> {
  const batch = await lockBatch(tx, id)
  if (!batch || batch.providerBatchId) return
  await updateBatch(tx, id, {
    ...{ providerState: sent.state, providerBatchId: sent.id, providerProblem: null, providerDetail: null },
    // Somebody reported that the provider does not have it.
    ...(batch.state === 'released' && {
      ...{ rejectionReportedBy: null, rejectionReportedAt: null, rejectionReason: null },
    }),
  })
  const details = { provider: provider.name, providerBatchId: sent.id, sha256: batch.fileSha256 }
  await recordAndTell(tx, actor, id, 'payout_batch.sent', details)
}

function toProviderError({ words, log }: Context, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof Refusal) {
    return new ProviderError('held', { detail: words.en(error.key, valuesOf(error.params, words.en)) })
  }
  log.error({ err: error, part: 'payout provider' }, 'a step of a batch failed')
  return new ProviderError('unreachable', { detail: 'INTERNAL' })
}

/** Shows why the step failed, and has it repeated later. */
async function noteProblem(
  { db, log }: Context,
  { id, providerAttempts }: Leased,
  { problem, detail, isUnsure, retryAfterSeconds }: ProviderError,
): Promise<void> {
  log.warn(
    { part: 'payout provider', code: problem, attempts: providerAttempts },
    'the payout provider failed',
  )
  const seconds = Math.max(
    retryAfterSeconds,
    Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.min(providerAttempts - 1, 10)),
  )
  await transaction(db, async (tx) => {
    const batch = await lockBatch(tx, id)
    // The provider's id became known in the meantime.
    if (!batch || (problem === 'too_old' && batch.providerBatchId)) return
    // Whatever the provider answers now, the first request may have arrived.
    const isLost = batch.providerState === 'sending' && (isUnsure || problem === 'unreachable')
    await tx
      .update(payoutBatches)
      .set({
        providerProblem: isLost ? 'answer_lost' : problem,
        providerDetail: detail?.slice(0, 500) ?? null,
        // Nothing but people can end a batch that is too old.
        providerNextAt: problem === 'too_old' ? null : sql`now() + make_interval(secs => ${seconds})`,
      })
      .where(eq(payoutBatches.id, id))
    if (batch.providerProblem !== problem)
      await publish(tx, [{ to: 'staff', message: { type: 'PAYOUT_UPDATE' } }])
  })
}
