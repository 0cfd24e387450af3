import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { TEST_EVENT, type WebhookEvent, webhookData } from '#contract/webhooks.ts'
import { isFinal } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import {
  chatMessages,
  chatThreads,
  giftCards,
  payouts,
  statusHistory,
  webhookDeliveries,
  webhookEndpoints,
} from '#server/platform/database/schema.ts'
import type { WebhookPayload } from '#server/platform/jobs/jobs.ts'
import { PostError, postSigned, type ResolveHost } from '#server/platform/webhooks/signed-post.ts'
import { openSigningSecrets, previousSigns } from '#server/platform/webhooks/signing-secret.ts'
import { secretRow } from './actions.ts'

type DeliverContext = Pick<Context, 'db' | 'keys' | 'site'>

/**
 * Sends an event to an endpoint, and logs the attempt. Every attempt sends the same body.
 *
 * @throws Error if the endpoint did not take it, so that the job is tried again
 */
export async function deliverWebhook(
  context: DeliverContext,
  payload: WebhookPayload,
  id: string,
  resolve?: ResolveHost,
): Promise<void> {
  const { db, site } = context
  const endpoint = await findEndpoint(context, payload.endpointId)
  if (!endpoint) return
  const body = await bodyOf(db, payload, id)
  if (body === undefined) return
  const started = performance.now()
  const allowPrivate = site.webhooksAllowPrivate ?? false
  const options = { allowPrivate, ...(resolve && { resolve }) }
  const result = await postSigned(endpoint.url, { id, body, secrets: endpoint.secrets }, options).catch(
    (error) => {
      if (!(error instanceof PostError)) throw error
      return error
    },
  )
  const failure = result instanceof PostError ? result : undefined
  const responseCode = result instanceof PostError ? null : result
  const isTaken = responseCode !== null && responseCode >= 200 && responseCode < 300
  await db
    .update(webhookDeliveries)
    .set({
      attempts: sql`attempts + 1`,
      responseCode,
      error: failure?.code ?? null,
      durationMs: Math.round(performance.now() - started),
      attemptedAt: sql`now()`,
      ...(isTaken && { deliveredAt: sql`now()` }),
    })
    .where(eq(webhookDeliveries.id, id))
  if (!isTaken) throw failure ?? new Error(`The endpoint answered ${responseCode}`)
}

/** Undefined if it was deleted. */
async function findEndpoint({ db, keys }: DeliverContext, id: string) {
  const [found] = await db
    .select({ row: webhookEndpoints, previousSigns })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
  if (!found) return undefined
  return {
    url: new URL(found.row.url),
    secrets: openSigningSecrets(keys, secretRow(id), found.row, found.previousSigns),
  }
}

/** What the first attempt sent, or what this one sends. Undefined if there is nothing to say. */
async function bodyOf(db: Executor, payload: WebhookPayload, id: string): Promise<string | undefined> {
  const { endpointId, event, at } = payload
  const [sent] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  if (sent) return sent.body
  const found = event === TEST_EVENT ? { data: {} } : await readers[event](db, payload)
  if (!found) return undefined
  const data = event === TEST_EVENT ? {} : z.encode(webhookData[event] as z.ZodType, found.data)
  const body = JSON.stringify({ type: event, timestamp: new Date(at).toISOString(), data })
  const eventKey = 'key' in found ? found.key : id
  const added = await db
    .insert(webhookDeliveries)
    .values({ id, endpointId, event, eventKey, body })
    .onConflictDoNothing()
    .returning()
  return added[0]?.body
}

type Found<E extends WebhookEvent> = {
  readonly data: z.output<(typeof webhookData)[E]>
  /** Of an event that several jobs may find. */
  readonly key?: string
}

/** Reads what each event tells. */
const readers: {
  [E in WebhookEvent]: (db: Executor, payload: WebhookPayload) => Promise<Found<E> | undefined>
} = {
  'submission.created': readMove,
  'submission.moved': readMove,
  'payout.paid': readPayout,
  'payout.returned': readPayout,
  'sale.completed': readSale,
  'message.received': readMessage,
}

const submissionColumns = {
  id: giftCards.id,
  userId: giftCards.sellerId,
  saleId: giftCards.saleId,
  brand: giftCards.brand,
  denomination: giftCards.denomination,
  sellingPrice: giftCards.sellingPrice,
}

async function readMove(db: Executor, { about, version }: WebhookPayload) {
  const { fromStatus, toStatus, move } = statusHistory
  const [data] = await db
    .select({
      ...submissionColumns,
      status: toStatus,
      version: statusHistory.version,
      from: sql<typeof toStatus._.data>`coalesce(${fromStatus}, ${toStatus})`,
      move,
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .where(and(eq(giftCards.id, about), eq(statusHistory.version, version ?? 0)))
  return data && { data }
}

async function readPayout(db: Executor, { about, event }: WebhookPayload) {
  const { id, number, giftCardId, sellerId, paymentType, amount } = payouts
  const [row] = await db
    .select({ id, number, submissionId: giftCardId, userId: sellerId, paymentType, amount })
    .from(payouts)
    .where(eq(payouts.id, about))
  return (
    row && { data: { ...row, state: event === 'payout.paid' ? ('paid' as const) : ('returned' as const) } }
  )
}

/** A sale is complete when all of its cards are final or removed. A card added later completes it again. */
async function readSale(db: Executor, { about: saleId }: WebhookPayload) {
  const cards = await db
    .select({ ...submissionColumns, status: giftCards.status, clearedAt: giftCards.clearedAt })
    .from(giftCards)
    .where(eq(giftCards.saleId, saleId))
    .orderBy(giftCards.salePosition)
  const [first] = cards
  if (!first || cards.some(({ status, clearedAt }) => !isFinal(status) && !clearedAt)) return undefined
  const data = { id: saleId, userId: first.userId, submissions: cards }
  return { data, key: `sale.completed ${saleId} ${cards.length}` }
}

async function readMessage(db: Executor, { about }: WebhookPayload) {
  const [data] = await db
    .select({ id: chatMessages.id, threadId: chatMessages.threadId, userId: chatThreads.userId })
    .from(chatMessages)
    .innerJoin(chatThreads, eq(chatThreads.id, chatMessages.threadId))
    .where(eq(chatMessages.id, about))
  return data && { data }
}
