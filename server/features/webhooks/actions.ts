import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { Page } from '#contract/values.ts'
import {
  TEST_EVENT,
  type WebhookDeliveryAnswer,
  type WebhookEndpointAnswer,
  type webhookForm,
  type webhookRoutes,
} from '#contract/webhooks.ts'
import type { Context } from '#server/context.ts'
import { type AuditDetails, record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { countRows } from '#server/http/paging.ts'
import { invalid, notFound } from '#server/http/refusal.ts'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { notify, onlyRow } from '#server/platform/database/queries.ts'
import { jobs, webhookDeliveries, webhookEndpoints } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { notifyLane, WEBHOOK_LANES, type WebhookPayload } from '#server/platform/jobs/jobs.ts'
import { allowedAddresses, PostError } from '#server/platform/webhooks/signed-post.ts'
import { makeSigningSecret } from '#server/platform/webhooks/signing-secret.ts'

/** Tells every server that endpoints were added, paused, resumed or deleted. */
export const WEBHOOKS_CHANNEL = 'unspent_webhooks'

export const secretRow = (id: string) => ({ table: 'webhook_endpoints', row: id })

/** Oldest first. */
export function listWebhooks({ db }: Context): Promise<WebhookEndpointAnswer[]> {
  return selectEndpoints(db).orderBy(asc(webhookEndpoints.createdAt))
}

/** Throws `Refusal` if the host is unknown, or private and not allowed. Each request checks that again. */
export async function addWebhook(
  { db, keys, site }: Context,
  actor: Staff,
  { url: typed, events }: z.output<typeof webhookForm>,
): Promise<WebhookEndpointAnswer & { secret: string }> {
  const url = await allowedUrl(typed, site)
  const id = uuidv7()
  const { secret, columns } = makeSigningSecret(keys, secretRow(id))
  return transaction(db, async (tx) => {
    const row = { id, url: url.href, events, ...columns }
    await tx.insert(webhookEndpoints).values(row)
    await recordChange(tx, actor, 'webhook.added', row, { events })
    return { ...onlyRow(await selectEndpoints(tx).where(eq(webhookEndpoints.id, id))), secret }
  })
}

/**
 * The address of a program, as a form has it. Throws `Refusal` for the field `url`.
 *
 * @param isSecret whether what is sent there is, so that plain http is refused on any network
 */
export async function allowedUrl(
  typed: string,
  { webhooksAllowPrivate = false }: Context['site'],
  isSecret = false,
): Promise<URL> {
  const refused = (code: 'webhook_url_invalid' | 'webhook_url_private' | 'webhook_url_unknown') =>
    invalid([{ path: 'url', code }])
  const url = URL.parse(typed)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash)
    throw refused('webhook_url_invalid')
  if (url.protocol === 'http:' && !webhooksAllowPrivate) throw refused('webhook_url_invalid')
  try {
    await allowedAddresses(url, { allowPrivate: webhooksAllowPrivate, isSecret })
  } catch (error) {
    if (!(error instanceof PostError)) throw error
    if (error.code === 'private_address') throw refused('webhook_url_private')
    // Plain http is only for private networks, which have no unknown hosts.
    throw refused(url.protocol === 'http:' ? 'webhook_url_invalid' : 'webhook_url_unknown')
  }
  return url
}

export async function changeWebhook(
  { db }: Context,
  actor: Staff,
  id: string,
  { paused, events }: z.output<typeof webhookRoutes.changeWebhook.body>,
): Promise<WebhookEndpointAnswer> {
  return transaction(db, async (tx) => {
    const before = await lockEndpoint(tx, id)
    const changed = { paused: paused ?? before.paused, events: events ?? before.events }
    await tx.update(webhookEndpoints).set(changed).where(eq(webhookEndpoints.id, id))
    await recordChange(tx, actor, 'webhook.changed', before, changed)
    return onlyRow(await selectEndpoints(tx).where(eq(webhookEndpoints.id, id)))
  })
}

/** Deletes an endpoint with its log and everything that waits for it. */
export async function deleteWebhook({ db }: Context, actor: Staff, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const before = await lockEndpoint(tx, id)
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id))
    await tx
      .delete(jobs)
      .where(and(eq(jobs.kind, 'webhook'), sql`payload->>'endpointId' = ${id} and done_at is null`))
    await recordChange(tx, actor, 'webhook.deleted', before)
  })
}

/** Makes a new secret. The previous one signs too for a day, so that the receiver can change it in between. */
export async function rotateSecret({ db, keys }: Context, actor: Staff, id: string): Promise<string> {
  return transaction(db, async (tx) => {
    const before = await lockEndpoint(tx, id)
    const { secret, columns } = makeSigningSecret(keys, secretRow(id), before)
    await tx
      .update(webhookEndpoints)
      .set({ ...columns, rotatedAt: sql`now()` })
      .where(eq(webhookEndpoints.id, id))
    await recordChange(tx, actor, 'webhook.secret_rotated', before)
    return secret
  })
}

async function lockEndpoint(tx: Transaction, id: string) {
  const [locked] = await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).for('update')
  if (!locked) throw notFound()
  return locked
}

/** The log names only the host: paths of webhooks often contain a secret. */
async function recordChange(
  tx: Transaction,
  actor: Staff,
  action: 'webhook.added' | 'webhook.changed' | 'webhook.deleted' | 'webhook.secret_rotated',
  { url }: { url: string },
  details: AuditDetails = {},
): Promise<void> {
  await record(tx, { actor, action, subject: { kind: 'webhook', id: new URL(url).host }, details })
  await notify(tx, WEBHOOKS_CHANNEL)
}

function selectEndpoints(db: Executor) {
  const { id, url, events, paused, createdAt } = webhookEndpoints
  const last = (at: SQL, isWanted: SQL) =>
    sql<Date | null>`(
      select max(${at}) from webhook_deliveries where endpoint_id = webhook_endpoints.id and ${isWanted}
    )`.mapWith(createdAt)
  return db
    .select({
      ...{ id, url, events, paused, createdAt },
      lastDelivered: last(sql`delivered_at`, sql`true`),
      lastFailed: last(
        sql`attempted_at`,
        sql`delivered_at is null and attempted_at > coalesce((
          select max(delivered_at) from webhook_deliveries where endpoint_id = webhook_endpoints.id
        ), '-infinity')`,
      ),
    })
    .from(webhookEndpoints)
}

export async function sendTest({ db }: Context, endpointId: string): Promise<void> {
  await transaction(db, async (tx) => {
    await lockEndpoint(tx, endpointId)
    const id = uuidv7()
    const at = new Date().toISOString()
    const payload = { endpointId, event: TEST_EVENT, about: id, version: null, at } satisfies WebhookPayload
    await tx.insert(jobs).values({ id, kind: 'webhook', key: id, payload })
    await notifyLane(tx, WEBHOOK_LANES)
  })
}

/** Newest first, with one more row than the limit if more follow, and the total. */
export async function listDeliveries(
  { db }: Context,
  { endpointId, limit, cursor }: Page & { endpointId: string },
) {
  const { body: _body, eventKey: _key, endpointId: _endpoint, deliveredAt, ...columns } = deliveryColumns
  const ofEndpoint = eq(webhookDeliveries.endpointId, endpointId)
  const [endpoints, rows, total] = await Promise.all([
    db.$count(webhookEndpoints, eq(webhookEndpoints.id, endpointId)),
    db
      .select({
        ...columns,
        deliveredAt,
        runAt: jobs.runAt,
        doneAt: jobs.doneAt,
        failedAt: jobs.failedAt,
        requestId: jobs.requestId,
      })
      .from(webhookDeliveries)
      .leftJoin(jobs, eq(jobs.id, webhookDeliveries.id))
      .where(
        and(
          ofEndpoint,
          cursor === undefined
            ? undefined
            : sql`(webhook_deliveries.created_at, webhook_deliveries.id) <
              (select created_at, id from webhook_deliveries where id = ${cursor})`,
        ),
      )
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
      .limit(limit + 1),
    countRows(db, webhookDeliveries, ofEndpoint),
  ])
  if (endpoints === 0) throw notFound()
  return { rows: rows.map(toDelivery), total }
}

const deliveryColumns = {
  id: webhookDeliveries.id,
  event: webhookDeliveries.event,
  attempts: webhookDeliveries.attempts,
  responseCode: webhookDeliveries.responseCode,
  error: webhookDeliveries.error,
  durationMs: webhookDeliveries.durationMs,
  createdAt: webhookDeliveries.createdAt,
  attemptedAt: webhookDeliveries.attemptedAt,
  body: webhookDeliveries.body,
  eventKey: webhookDeliveries.eventKey,
  endpointId: webhookDeliveries.endpointId,
  deliveredAt: webhookDeliveries.deliveredAt,
}

type DeliveryRow = Omit<WebhookDeliveryAnswer, 'state' | 'nextAttemptAt'> &
  Record<'deliveredAt' | 'runAt' | 'doneAt' | 'failedAt', Date | null>

/** A delivery waits while its job does, also if it was delivered before and is sent again. */
function toDelivery({ runAt, doneAt, failedAt, ...row }: DeliveryRow): WebhookDeliveryAnswer {
  const waits = runAt !== null && doneAt === null && failedAt === null
  const state = waits ? 'waiting' : row.deliveredAt ? 'delivered' : 'failed'
  return { ...row, state, nextAttemptAt: waits ? runAt : null }
}

/** Sends a delivery at once, whatever its state, and retries for three days if that fails. */
export async function resendDelivery({ db }: Context, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const [{ endpointId, event } = { endpointId: '', event: '' }] = await tx
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.id, id))
    if (!endpointId) throw notFound()
    const again = { doneAt: null, failedAt: null, attempts: 0, runAt: sql`now()` }
    await tx
      .insert(jobs)
      .values({ id, kind: 'webhook', key: id, payload: { endpointId, event, about: id, version: null } })
      .onConflictDoUpdate({ target: jobs.id, set: again })
    await notifyLane(tx, WEBHOOK_LANES)
  })
}

/** The log goes back 30 days. */
export async function deleteOldDeliveries(db: Database): Promise<void> {
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, sql`now() - interval '30 days'`))
}
