import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Cents, parseDollars, toDecimal } from '#domain/money.ts'
import type { ProviderProblem, ProviderState } from '#domain/payout-provider.ts'
import type {
  BatchToSend,
  PaymentToSend,
  PayoutProvider,
  ProviderBatch,
  ProviderItem,
  ProviderMoney,
  SentBatch,
} from './payout-provider.ts'
import { ProviderError } from './payout-provider.ts'

/**
 * PayPal's Payouts API, which pays PayPal and Venmo accounts.
 * Sources: https://developer.paypal.com/api/payments.payouts-batch/v1/, https://developer.paypal.com/api/webhooks/v1/ and
 * https://developer.paypal.com/api/transaction-search/v1/balances-get
 */

export const paypalHosts = {
  sandbox: 'https://api-m.sandbox.paypal.com',
  live: 'https://api-m.paypal.com',
} as const

export interface PaypalSettings {
  readonly clientId: string
  readonly clientSecret: string
  readonly environment: keyof typeof paypalHosts
  /** PayPal's id of the address that gets webhooks. */
  readonly webhookId?: string | undefined
}

/** For one request. */
const TIMEOUT_MS = 30_000
const ITEMS_PER_PAGE = 1000
/** A batch has at most 15,000 items. */
const MAX_PAGES = 15
/** A token ends this long before PayPal says. */
const TOKEN_MARGIN_MS = 60_000
/** Balances are up to three hours old at PayPal, so there is no use in asking more often. */
const BALANCE_MS = 60_000

/** Errors of a connection that was never made. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** @param host for tests */
export function paypal(
  settings: PaypalSettings,
  host: string = paypalHosts[settings.environment],
): PayoutProvider {
  const { clientId, clientSecret, environment, webhookId } = settings
  let token: { readonly text: string; readonly endsAt: number } | undefined
  let balance: (ProviderMoney & { readonly readAt: number }) | undefined

  async function signIn(signal: AbortSignal): Promise<string> {
    if (token && token.endsAt > Date.now()) return token.text
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const answer = await request(`${host}/v1/oauth2/token`, signal, {
      method: 'POST',
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    }).catch((error: PaypalError) => {
      const { problem, detail, retryAfterSeconds } = error
      throw new PaypalError(problem, { detail, retryAfterSeconds })
    })
    const { access_token: text, expires_in: seconds } = await parsed(tokenAnswer, answer)
    token = { text, endsAt: Date.now() + seconds * 1000 - TOKEN_MARGIN_MS }
    return text
  }

  async function call(path: string, signal: AbortSignal, body?: string): Promise<Response> {
    const used = await signIn(signal)
    const headers = { authorization: `Bearer ${used}`, 'content-type': 'application/json' }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body }
    return request(`${host}${path}`, signal, init).catch(async (error) => {
      if (!(error instanceof ProviderError) || error.problem !== 'sign_in') throw error
      // PayPal ended the token early, and did nothing. With a new one it answers the same only if we may not do this.
      if (token?.text === used) token = undefined
      const again = { authorization: `Bearer ${await signIn(signal)}`, 'content-type': 'application/json' }
      return request(`${host}${path}`, signal, { ...init, headers: again })
    })
  }

  return {
    name: 'paypal',
    account: createHash('sha256').update(`${environment} ${clientId}`).digest('hex').slice(0, 16),
    writeBatch,

    async signIn(signal) {
      await signIn(signal)
    },

    async sendBatch(body, signal): Promise<SentBatch> {
      const answer = await call('/v1/payments/payouts', signal, body).catch((error) => {
        const known = error instanceof PaypalError ? error.earlierBatch : undefined
        if (known === undefined) throw error
        return known
      })
      if (typeof answer === 'string') return { id: answer, state: 'pending' }
      const { batch_header: header } = await parsed(createAnswer, answer, { isUnsure: true })
      return { id: header.payout_batch_id, state: stateOf(header.batch_status) }
    },

    async readBatch(id, signal): Promise<ProviderBatch> {
      const items: ProviderItem[] = []
      let error: string | null = null
      for (let page = 1; page <= MAX_PAGES; page++) {
        const query = `page_size=${ITEMS_PER_PAGE}&page=${page}&total_required=true`
        const answer = await call(`/v1/payments/payouts/${encodeURIComponent(id)}?${query}`, signal)
        const { batch_header: header, items: found, total_pages: pages } = await parsed(readAnswer, answer)
        items.push(...found.map(toItem))
        error ??= found.find(({ errors }) => errors)?.errors?.name ?? null
        if (page < pages) continue
        return {
          id: header.payout_batch_id,
          state: stateOf(header.batch_status),
          senderId: header.sender_batch_header.sender_batch_id,
          fees: centsOf(header.fees) ?? 0,
          items,
          error,
        }
      }
      throw new ProviderError('differs', { detail: 'TOO_MANY_PAGES' })
    },

    async readBalance(signal) {
      if (balance && Date.now() - balance.readAt < BALANCE_MS) return balance
      const answer = await call('/v1/reporting/balances?currency_code=USD', signal)
      const { balances, last_refresh_time: refreshed } = await parsed(balancesAnswer, answer)
      const { available_balance: available, total_balance: total } =
        balances.find(({ currency }) => currency === 'USD') ?? {}
      const amount = centsOf(available ?? total) ?? 0
      const readAt = Date.now()
      balance = { amount, at: new Date(refreshed ?? readAt), readAt }
      return balance
    },

    takesWebhooks: webhookId !== undefined,

    batchOfWebhook(event) {
      const { data } = webhookEvent.safeParse(event)
      const { payout_batch_id, sender_batch_id, batch_header: header } = data?.resource ?? {}
      const id = payout_batch_id ?? header?.payout_batch_id
      if (!id) return undefined
      return { id, senderId: sender_batch_id ?? header?.sender_batch_header?.sender_batch_id }
    },

    async verifyWebhook({ headers, body }, signal) {
      const header = (name: string) => JSON.stringify(String(headers[`paypal-${name}`] ?? ''))
      // PayPal's signature is about the bytes, so the event is not written again.
      const check = `{"auth_algo":${header('auth-algo')},"cert_url":${header('cert-url')},
        "transmission_id":${header('transmission-id')},"transmission_sig":${header('transmission-sig')},
        "transmission_time":${header('transmission-time')},"webhook_id":${JSON.stringify(webhookId)},
        "webhook_event":${body}}`
      const answer = await call('/v1/notifications/verify-webhook-signature', signal, check).catch(
        (error) => {
          // PayPal refuses headers that are not of the form it sends.
          if (error instanceof ProviderError && error.problem === 'refused') return undefined
          throw error
        },
      )
      if (!answer) return false
      return (await parsed(verifyAnswer, answer)).verification_status === 'SUCCESS'
    },
  }
}

function writeBatch({ id, subject, payments }: BatchToSend): string {
  return JSON.stringify({
    sender_batch_header: { sender_batch_id: id, email_subject: subject },
    items: payments.map(toRequestItem),
  })
}

function toRequestItem({ id, amount, wallet, receiver, note }: PaymentToSend) {
  const isHandle = receiver.startsWith('@')
  return {
    recipient_type: isHandle ? 'USER_HANDLE' : receiver.includes('@') ? 'EMAIL' : 'PHONE',
    recipient_wallet: wallet.toUpperCase(),
    receiver: isHandle ? receiver.slice(1) : receiver,
    amount: { value: toDecimal(amount), currency: 'USD' },
    // Venmo requires a note.
    note,
    sender_item_id: id,
  }
}

/** A refusal, with the batch that an earlier request with the same id made. */
class PaypalError extends ProviderError {
  readonly earlierBatch: string | undefined

  constructor(
    problem: ProviderProblem,
    options: ConstructorParameters<typeof ProviderError>[1],
    earlierBatch?: string,
  ) {
    super(problem, options)
    this.earlierBatch = earlierBatch
  }
}

/** The answer to a request that succeeded. @throws PaypalError */
async function request(url: string, signal: AbortSignal, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    const code = codeOf(error)
    throw new PaypalError('unreachable', { detail: code, isUnsure: !NOT_CONNECTED.includes(code) })
  })
  if (answer.ok) return answer
  throw await toError(answer)
}

function codeOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: unknown }; name: string }
  return typeof cause?.code === 'string' ? cause.code : name
}

async function toError(answer: Response): Promise<PaypalError> {
  const { status } = answer
  const { data } = errorAnswer.safeParse(await answer.json().catch(() => undefined))
  const name = data?.name ?? data?.error ?? `HTTP_${status}`
  const detail = /^\w{1,60}$/.test(name) ? name : `HTTP_${status}`
  const seconds = Number(answer.headers.get('retry-after'))
  const retryAfterSeconds = seconds > 0 && seconds < 86_400 ? Math.ceil(seconds) : 0
  const common = { detail, retryAfterSeconds }
  // After 408, 409 or an error of the server, PayPal may or may not have acted on the request.
  if (status >= 500 || status === 408 || status === 409) {
    return new PaypalError('unreachable', { ...common, isUnsure: true })
  }
  if (status === 429) return new PaypalError('rate_limited', common)
  if (status === 401) return new PaypalError('sign_in', common)
  if (name === 'INSUFFICIENT_FUNDS') return new PaypalError('no_money', common)
  if (status === 403) return new PaypalError('not_permitted', common)
  // PayPal answers a repeated id with this name, and a link to the batch.
  const isRepeated = name === 'USER_BUSINESS_ERROR'
  return new PaypalError(
    isRepeated ? 'answer_lost' : 'refused',
    { ...common, isUnsure: isRepeated },
    earlierBatchIn(data),
  )
}

function earlierBatchIn(data: z.output<typeof errorAnswer> | undefined): string | undefined {
  const links = data?.details?.flatMap(({ field, link }) => (field === 'SENDER_BATCH_ID' ? (link ?? []) : []))
  return links?.map(({ href }) => /\/v1\/payments\/payouts\/([A-Z0-9]{1,40})$/.exec(href)?.[1]).find(Boolean)
}

/** @throws ProviderError if the answer is not what the API describes */
async function parsed<S extends z.ZodType>(
  schema: S,
  answer: Response,
  { isUnsure = false } = {},
): Promise<z.output<S>> {
  const { data, success } = schema.safeParse(await answer.json().catch(() => undefined))
  if (success) return data
  throw new PaypalError('unreachable', { detail: 'UNREADABLE_ANSWER', isUnsure })
}

/** A state that is not known yet counts as one that is not decided. */
function stateOf(status: string): ProviderState {
  return states[status] ?? 'pending'
}

const states: Readonly<Record<string, ProviderState>> = {
  PENDING: 'pending',
  PROCESSING: 'processing',
  SUCCESS: 'success',
  DENIED: 'denied',
  CANCELED: 'canceled',
}

function toItem({ transaction_status, transaction_id, payout_item }: PaypalItem): ProviderItem {
  return {
    senderId: payout_item.sender_item_id,
    state: transaction_status,
    amount: centsOf(payout_item.amount),
    transactionId: transaction_id ?? '',
  }
}

/** Null for another currency, or if it is not an amount. */
function centsOf(money: z.output<typeof moneyAnswer> | undefined): Cents | null {
  if (!money || (money.currency ?? money.currency_code) !== 'USD') return null
  return parseDollars(money.value) ?? null
}

const moneyAnswer = z.object({
  value: z.string(),
  currency: z.string().optional(),
  currency_code: z.string().optional(),
})
const payoutBatchId = z.string().regex(/^[A-Z0-9]{1,40}$/i)
const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const createAnswer = z.object({
  batch_header: z.object({ payout_batch_id: payoutBatchId, batch_status: z.string() }),
})
const item = z.object({
  transaction_id: z.string().optional(),
  transaction_status: z.string(),
  payout_item: z.object({ sender_item_id: z.string(), amount: moneyAnswer }),
  errors: z
    .object({ name: z.string().regex(/^\w{1,60}$/) })
    .nullish()
    .catch(null),
})
type PaypalItem = z.output<typeof item>
const readAnswer = z.object({
  batch_header: z.object({
    payout_batch_id: payoutBatchId,
    batch_status: z.string(),
    sender_batch_header: z.object({ sender_batch_id: z.string() }),
    fees: moneyAnswer.optional(),
  }),
  items: z.array(item).default([]),
  total_pages: z.number().default(1),
})
const balancesAnswer = z.object({
  balances: z.array(
    z.object({
      currency: z.string(),
      available_balance: moneyAnswer.optional(),
      total_balance: moneyAnswer.optional(),
    }),
  ),
  last_refresh_time: z.iso.datetime({ offset: true }).optional().catch(undefined),
})
const verifyAnswer = z.object({ verification_status: z.string() })
const errorAnswer = z.object({
  name: z.string().optional(),
  /** Of the address that gives tokens. */
  error: z.string().optional(),
  details: z
    .array(
      z.object({ field: z.string().optional(), link: z.array(z.object({ href: z.string() })).optional() }),
    )
    .optional()
    .catch(undefined),
})
const webhookEvent = z.object({
  resource: z.object({
    payout_batch_id: payoutBatchId.optional(),
    sender_batch_id: z.string().optional(),
    batch_header: z
      .object({
        payout_batch_id: payoutBatchId,
        sender_batch_header: z.object({ sender_batch_id: z.string() }).optional(),
      })
      .optional(),
  }),
})
