import { sql } from 'drizzle-orm'
import type { BatchAnswer } from '#contract/payouts.ts'
import { mayEnterId } from '#domain/payout-provider.ts'
import type { Context } from '#server/context.ts'
import { type Batch, lockBatch } from '#server/features/books/payouts.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { type PayoutProvider, ProviderError } from '#server/platform/payout-provider/payout-provider.ts'
import { illegalMove, readBatch, updateBatch } from '../batches.ts'
import { recordSent } from './advance.ts'

const TIMEOUT_MS = 10_000

/**
 * Takes the provider's id of a batch whose answer never came, as the provider's site shows it. The batch is followed from there as if
 * the answer had arrived. Throws `Refusal` if the provider says that it is another batch.
 */
export async function enterProviderBatch(
  context: Context,
  staff: Staff,
  id: string,
  entered: string,
): Promise<BatchAnswer> {
  const { db, payoutProvider } = context
  const lockLost = (tx: Parameters<typeof lockBatch>[0]) => lockBatch(tx, id).then(requireLost)
  const provider = requireAccount(payoutProvider, await transaction(db, lockLost))
  const { senderId, ...sent } = await provider
    .readBatch(entered, AbortSignal.timeout(TIMEOUT_MS))
    .catch((error) => {
      if (!(error instanceof ProviderError)) throw error
      if (error.problem === 'refused') throw wrongBatch('unknown')
      throw new Refusal('busy', 'refusals.provider_unreachable', { retryAfter: 60 })
    })
  if (senderId !== id) throw wrongBatch('other')
  return transaction(db, async (tx) => {
    await lockLost(tx)
    await recordSent(tx, staff, provider, { id, sent })
    await updateBatch(tx, id, { providerNextAt: sql`now()` })
    return readBatch({ ...context, db: tx }, id)
  })
}

function requireLost(batch: Batch | undefined): Batch {
  if (!batch) throw notFound()
  if (!batch.provider) throw illegalMove(batch)
  if (!mayEnterId(batch)) throw new Refusal('illegal_batch_move', 'refusals.provider_batch_known')
  return batch
}

/** @returns the provider. Throws `Refusal` unless it is the account that was asked to send the batch: another one knows nothing of it. */
export function requireAccount(
  provider: PayoutProvider | undefined,
  { providerAccount }: Batch,
): PayoutProvider {
  if (provider?.account === providerAccount && provider) return provider
  throw new Refusal('illegal_batch_move', 'refusals.provider_other_account')
}

const wrongBatch = (why: 'unknown' | 'other') =>
  new Refusal('provider_batch_wrong', `refusals.provider_batch_${why}`)
