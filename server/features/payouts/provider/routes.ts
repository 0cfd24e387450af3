import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { payoutRoutes as routes } from '#contract/payouts.ts'
import type { Context } from '#server/context.ts'
import { system } from '#server/http/actor.ts'
import { parseJson } from '#server/http/arrival.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { ProviderError, type WebhookBatch } from '#server/platform/payout-provider/payout-provider.ts'
import { recordSent } from './advance.ts'

/** For one call to the provider while somebody waits. */
const TIMEOUT_MS = 10_000

/**
 * Takes the provider's webhooks, in a scope of its own, because a signature is about the bytes of a body. A webhook changes nothing: it
 * makes the server read the batch, so that late, repeated and forged ones do no harm.
 */
export function serveProviderWebhook(scope: FastifyInstance, serve: Serve, context: Context): void {
  const bodies = new WeakMap<FastifyRequest, string>()
  scope.removeContentTypeParser('application/json')
  parseJson(scope, (request, text) => bodies.set(request, text))
  const { db, payoutProvider: provider } = context
  serve(routes.providerWebhook, async ({ body: event, request }) => {
    if (!provider?.takesWebhooks) throw notFound()
    const message = request.words('done.provider_event_received')
    const about = provider.batchOfWebhook(event)
    const ours = about && (await findOurs(db, about))
    // Nothing of ours, so there is nothing to verify either.
    if (!ours) return { message }
    const webhook = { headers: request.headers, body: bodies.get(request) ?? '' }
    const isGenuine = await provider
      .verifyWebhook(webhook, AbortSignal.timeout(TIMEOUT_MS))
      .catch((error) => {
        if (!(error instanceof ProviderError)) throw error
        // The provider sends it again.
        throw new Refusal('busy', 'refusals.provider_unreachable', { retryAfter: 60 })
      })
    if (!isGenuine) throw new Refusal('invalid_credentials', 'refusals.provider_webhook_wrong')
    await transaction(db, async (tx) => {
      const sent = { id: about.id, state: 'pending' } as const
      if (!ours.isKnown) await recordSent(tx, system, provider, { id: ours.id, sent })
      await tx.execute(sql`
        update payout_batches set provider_next_at = now()
        where id = ${ours.id} and state in ('released', 'exported', 'settled', 'rejected')`)
    })
    return { message }
  })
}

/** By the provider's id or, if the answer with that never came, by ours. */
async function findOurs(db: Database, { id, senderId = '' }: WebhookBatch) {
  const { rows } = await db.execute<{ id: string; isKnown: boolean }>(sql`
    select id, provider_batch_id is not null as "isKnown" from payout_batches where provider_batch_id = ${id}
      or id::text = ${senderId} and provider_batch_id is null and provider_state = 'sending'
        and state in ('released', 'rejected')`)
  return rows[0]
}
