import { z } from 'zod'
import { payoutStates } from '#domain/payout.ts'
import { statuses } from '#domain/submission.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { done, id, instant, money, page, text, withId } from './values.ts'

const submission = z.object({
  id,
  userId: id.describe('The seller'),
  saleId: id.nullable(),
  brand: z.string(),
  denomination: money,
  sellingPrice: money.describe('When it is sent first'),
  status: z.enum(statuses),
  version: z.number().int(),
})
const payout = z.object({
  id,
  number: z.number().int(),
  submissionId: id,
  userId: id.describe('The seller'),
  paymentType: z.string(),
  amount: money,
  state: z.enum(payoutStates),
})

/** The events, and the `data` of each. Never a card number, PIN, account, photo or the text of a message. */
export const webhookData = {
  'submission.created': submission,
  'submission.moved': submission.extend({ from: z.enum(statuses), move: z.string().nullable() }),
  'payout.paid': payout,
  'payout.returned': payout,
  'sale.completed': z.object({
    id,
    userId: id.describe('The seller'),
    submissions: z.array(submission.pick({ id: true, status: true, sellingPrice: true })),
  }),
  'message.received': z.object({
    id,
    threadId: id,
    userId: id.nullable().describe('The seller. Null for a visitor'),
  }),
} as const
export type WebhookEvent = keyof typeof webhookData
export const webhookEvents = Object.keys(webhookData) as [WebhookEvent, ...WebhookEvent[]]

/** What "send test" sends, whatever the endpoint takes. */
export const TEST_EVENT = 'webhook.test'

const events = z
  .array(z.enum(webhookEvents, { error: 'webhook_event_unknown' satisfies FieldCode }))
  .min(1, 'webhook_events_required' satisfies FieldCode)
  .transform((chosen) => [...new Set(chosen)])

export const webhookEndpoint = z.object({
  id,
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  paused: z.boolean().describe('Gets nothing. What happens meanwhile is not sent later'),
  createdAt: instant,
  lastDelivered: instant.nullable(),
  lastFailed: instant.nullable().describe('The last failed attempt since then'),
})
export type WebhookEndpoint = z.input<typeof webhookEndpoint>
export type WebhookEndpointAnswer = z.output<typeof webhookEndpoint>

export const webhookForm = z.object({
  url: text({ max: 500, required: 'webhook_url_invalid' }),
  events,
})
const secret = z.string().describe('The key of the signatures: `whsec_` and base64. Only this answer has it')

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export const webhookDelivery = z.object({
  id: id.describe('The `webhook-id` header of every attempt'),
  event: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  responseCode: z.number().int().nullable(),
  error: z.string().nullable().describe('Why there was no response, such as `timeout`'),
  durationMs: z.number().int().nullable(),
  createdAt: instant,
  attemptedAt: instant.nullable(),
  nextAttemptAt: instant.nullable(),
  requestId: id.nullable().describe('The `x-request-id` of the call that caused it, and of every attempt'),
})
export type WebhookDelivery = z.input<typeof webhookDelivery>
export type WebhookDeliveryAnswer = z.output<typeof webhookDelivery>

const access = 'manage_connections'

export const webhookRoutes = {
  webhooks: route({
    method: 'GET',
    path: '/api/admin/webhooks',
    summary: 'The addresses that are sent events, oldest first',
    access,
    limit: 'read',
    answers: { 200: z.array(webhookEndpoint) },
  }),
  addWebhook: route({
    method: 'POST',
    path: '/api/admin/webhooks',
    summary: 'Add an address that is sent events. Only this answer has the secret',
    access,
    limit: 'write',
    body: webhookForm,
    answers: { 201: webhookEndpoint.extend({ secret }) },
  }),
  changeWebhook: route({
    method: 'PATCH',
    path: '/api/admin/webhooks/:id',
    summary: 'Pause or resume, or choose other events',
    access,
    limit: 'write',
    params: withId,
    body: z.object({ paused: z.boolean().optional(), events: events.optional() }),
    answers: { 200: webhookEndpoint },
  }),
  deleteWebhook: route({
    method: 'DELETE',
    path: '/api/admin/webhooks/:id',
    summary: 'Delete an address, with what waits to be sent and its log',
    access,
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
  rotateWebhookSecret: route({
    method: 'POST',
    path: '/api/admin/webhooks/:id/secret',
    summary: 'Make a new secret. For a day, requests are signed with the previous one too',
    access,
    limit: 'write',
    refuses: ['unreadable'],
    params: withId,
    answers: { 200: z.object({ secret }) },
  }),
  testWebhook: route({
    method: 'POST',
    path: '/api/admin/webhooks/:id/test',
    summary: `Send the event \`${TEST_EVENT}\``,
    access,
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
  webhookDeliveries: route({
    method: 'GET',
    path: '/api/admin/webhook-deliveries',
    summary: 'What was sent to an address in the last 30 days, newest first',
    access,
    limit: 'read',
    refuses: ['not_found'],
    query: page.extend({ endpointId: id }),
    answers: { 200: z.array(webhookDelivery) },
  }),
  resendDelivery: route({
    method: 'POST',
    path: '/api/admin/webhook-deliveries/:id/resend',
    summary: 'Send a delivery again at once, with the same `webhook-id`',
    access,
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
}
