import { z } from 'zod'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { dollars, done, id, instant, text } from './values.ts'

/** What a balance connector is sent. The only request of ours that holds a number and a PIN. */
export interface BalanceQuestion {
  readonly type: 'balance.check'
  /** ISO 8601. */
  readonly timestamp: string
  readonly data: {
    /** The submission. */
    readonly id: string
    /** The slug. */
    readonly brand: string
    /** Letters and digits, in capitals. */
    readonly number: string
    readonly pin: string | null
  }
}

/** What a balance connector answers. */
export const balanceAnswer = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ok'),
    amount: dollars('balance_invalid').refine((cents) => cents >= 0, 'balance_invalid' satisfies FieldCode),
  }),
  z.object({ status: z.enum(['not_found', 'blocked', 'unknown']) }),
])
export type BalanceAnswer = z.output<typeof balanceAnswer>

export const balanceConnector = z.object({
  id,
  brand: z.string().describe('The slug'),
  url: z.string(),
  paused: z.boolean().describe('Is not asked'),
  createdAt: instant,
})
export type BalanceConnector = z.input<typeof balanceConnector>
export type BalanceConnectorAnswer = z.output<typeof balanceConnector>

export const balanceConnectorForm = z.object({
  url: text({ max: 500, required: 'webhook_url_invalid' }),
  paused: z.boolean({ error: 'paused_invalid' satisfies FieldCode }).default(false),
})

const secret = z.string().describe('The key of the signatures: `whsec_` and base64')

const access = 'manage_connections'
const params = z.object({ brand: text({ max: 50 }).describe('The slug') })

export const balanceConnectorRoutes = {
  balanceConnectors: route({
    method: 'GET',
    path: '/api/admin/balance-connectors',
    summary: "The services of the shop that are asked for the balance of a brand's cards, by brand",
    access,
    limit: 'read',
    answers: { 200: z.array(balanceConnector) },
  }),
  saveBalanceConnector: route({
    method: 'PUT',
    path: '/api/admin/balance-connectors/:brand',
    summary: 'Add or change the service of a brand. Only the answer that adds it has the secret',
    access,
    limit: 'write',
    params,
    body: balanceConnectorForm,
    answers: { 200: balanceConnector.extend({ secret: secret.nullable() }) },
  }),
  rotateConnectorSecret: route({
    method: 'POST',
    path: '/api/admin/balance-connectors/:brand/secret',
    summary: 'Make a new secret. For a day, requests are signed with the previous one too',
    access,
    limit: 'write',
    refuses: ['unreadable'],
    params,
    answers: { 200: z.object({ secret }) },
  }),
  deleteBalanceConnector: route({
    method: 'DELETE',
    path: '/api/admin/balance-connectors/:brand',
    summary: 'Delete the service of a brand. Its cards are not asked for anymore',
    access,
    limit: 'write',
    params,
    answers: { 200: done },
  }),
}
