import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parseDollars, toDecimal } from '#domain/money.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'
import { paypal } from '#server/platform/payout-provider/paypal.ts'

/**
 * PayPal's Payouts API, written from its published description: https://developer.paypal.com/api/payments.payouts-batch/v1/. It can
 * fail, hang, lose an answer, repeat itself and lie.
 */

const CLIENT = { clientId: 'test-client', clientSecret: 'test-secret-of-paypal' } as const
const WEBHOOK_ID = 'WH0TEST'
const FEE = 25
/** What PayPal takes in one request. */
const MAX_ITEMS = 15_000

type Call = 'token' | 'create' | 'read' | 'balance' | 'verify'

interface Failure {
  readonly status?: number
  readonly name?: string
  readonly retryAfter?: number
  /** `drop`: the connection ends before anything happens. `lose`: after it happened. `hang`: the same, without an end. */
  readonly connection?: 'drop' | 'lose' | 'hang'
}

interface EmulatedItem {
  readonly payout_item_id: string
  readonly transaction_id: string
  transaction_status: string
  errors?: { name: string; message: string }
  readonly payout_item_fee: { currency: string; value: string }
  readonly payout_item: {
    sender_item_id: string
    receiver: string
    recipient_type: string
    recipient_wallet: string
    note: string
    amount: { currency: string; value: string }
  }
}

interface EmulatedBatch {
  readonly id: string
  readonly senderId: string
  status: string
  readonly items: EmulatedItem[]
}

export class PaypalEmulator {
  readonly batches: EmulatedBatch[] = []
  readonly calls: { call: Call; body: string }[] = []
  /** The states of items that do not succeed, by receiver. */
  readonly outcomes = new Map<string, string>()
  /** Batches stay as they are until a test changes them. */
  isSlow = false
  /** The reason for which batches are denied after they were taken. */
  denies: string | undefined
  balance = 1_000_000
  /** When the balance was counted. Now by default. */
  balanceAt: Date | undefined
  items: 'all' | 'none' = 'all'
  readonly #url: string
  readonly #failures: { call: Call; failure: Failure }[] = []
  readonly #signingKey = randomBytes(32)
  readonly #tokens = new Set<string>()

  private constructor(url: string) {
    this.#url = url
  }

  static async start(): Promise<PaypalEmulator> {
    let emulator: PaypalEmulator | undefined
    const server = createServer((request, response) => void emulator?.answer(request, response))
    // It ends with the process.
    server.on('connection', (socket) => socket.unref()).unref()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    emulator = new PaypalEmulator(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return emulator
  }

  get url(): string {
    return this.#url
  }

  /** A client of this PayPal. Each has its own token. */
  provider(
    more: { clientId?: string; clientSecret?: string; webhookId?: string | undefined } = {},
  ): PayoutProvider {
    return paypal({ ...CLIENT, environment: 'sandbox', webhookId: WEBHOOK_ID, ...more }, this.#url)
  }

  /** Makes the next call of this kind fail. Several are used one after another. */
  fail(call: Call, failure: Failure): void {
    this.#failures.push({ call, failure })
  }

  /** Nothing fails from here. */
  heal(): void {
    this.#failures.length = 0
    this.denies = undefined
    this.isSlow = false
  }

  endTokens(): void {
    this.#tokens.clear()
  }

  count(call: Call): number {
    return this.calls.filter((made) => made.call === call).length
  }

  /** Everything that PayPal sent to a receiver and did not take back, in cents. */
  paidTo(receiver: string): number {
    const items = this.batches.flatMap((batch) => (batch.status === 'DENIED' ? [] : batch.items))
    return items
      .filter((item) => item.payout_item.receiver === receiver)
      .filter((item) => ['SUCCESS', 'UNCLAIMED', 'PENDING', 'ONHOLD'].includes(item.transaction_status))
      .reduce((sum, item) => sum + (parseDollars(item.payout_item.amount.value) ?? 0), 0)
  }

  /** Changes the state of what was sent to a receiver. */
  setItem(receiver: string, state: string): void {
    for (const item of this.batches.flatMap(({ items }) => items)) {
      if (item.payout_item.receiver === receiver) item.transaction_status = state
    }
  }

  /** A signed webhook. */
  webhook(event: string, batchId: string): { headers: Record<string, string>; body: string } {
    // Spaces and 1.0 would not survive parsing and writing, as in some events of PayPal's.
    const senderId = this.batches.find(({ id }) => id === batchId)?.senderId ?? 'of-another-shop'
    const resource = event.startsWith('PAYMENT.PAYOUTSBATCH')
      ? { batch_header: { payout_batch_id: batchId, sender_batch_header: { sender_batch_id: senderId } } }
      : { payout_batch_id: batchId }
    const body = `{"id":"WH-${randomUUID()}", "event_version":1.0,"event_type":"${event}","resource":${JSON.stringify(resource)}}`
    const id = randomUUID()
    return {
      headers: {
        'content-type': 'application/json',
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
        'paypal-transmission-id': id,
        'paypal-transmission-time': new Date().toISOString(),
        'paypal-transmission-sig': this.#sign(id, body),
      },
      body,
    }
  }

  #sign(id: string, body: string): string {
    return createHmac('sha256', this.#signingKey).update(`${id}|${WEBHOOK_ID}|${body}`).digest('base64')
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.#url)
    const body = await text(request)
    const call = callOf(request.method ?? '', url.pathname)
    if (!call) return send(response, 404, { name: 'RESOURCE_NOT_FOUND' })
    this.calls.push({ call, body })
    const planned = this.#failures.findIndex((each) => each.call === call)
    const failure = planned < 0 ? undefined : this.#failures.splice(planned, 1)[0]?.failure
    if (failure?.connection === 'drop') return void request.socket.destroy()
    if (failure?.status) {
      if (failure.retryAfter) response.setHeader('retry-after', String(failure.retryAfter))
      return send(response, failure.status, { name: failure.name ?? 'INTERNAL_SERVER_ERROR', debug_id: 'd1' })
    }
    const [status, json] = this.#handle(call, request, url, body)
    if (failure?.connection === 'lose') return void request.socket.destroy()
    if (failure?.connection === 'hang') return
    send(response, status, json)
  }

  #handle(call: Call, { headers }: IncomingMessage, url: URL, body: string): [number, unknown] {
    if (call === 'token') {
      const { clientId, clientSecret } = CLIENT
      const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
      if (headers.authorization !== expected) return [401, { error: 'invalid_client' }]
      const token = `A21AA${randomUUID()}`
      this.#tokens.add(token)
      return [200, { access_token: token, token_type: 'Bearer', expires_in: 32_400 }]
    }
    if (!this.#tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) {
      return [401, { name: 'INVALID_TOKEN' }]
    }
    if (call === 'create') return this.#create(JSON.parse(body))
    if (call === 'read') return this.#read(url)
    if (call === 'balance') {
      const money = { currency_code: 'USD', value: toDecimal(this.balance) }
      return [
        200,
        {
          balances: [{ currency: 'USD', primary: true, total_balance: money, available_balance: money }],
          last_refresh_time: (this.balanceAt ?? new Date()).toISOString(),
        },
      ]
    }
    const { transmission_id: id, transmission_sig: signature, webhook_id: webhookId } = JSON.parse(body)
    const event = body.slice(body.indexOf('"webhook_event":') + '"webhook_event":'.length, -1)
    const isGenuine = webhookId === WEBHOOK_ID && signature === this.#sign(id, event)
    return [200, { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' }]
  }

  #create({
    sender_batch_header: { sender_batch_id: senderId },
    items,
  }: {
    sender_batch_header: { sender_batch_id: string }
    items: EmulatedItem['payout_item'][]
  }): [number, unknown] {
    const earlier = this.batches.find((batch) => batch.senderId === senderId)
    if (earlier) {
      const link = [{ href: `${this.#url}/v1/payments/payouts/${earlier.id}`, rel: 'self', method: 'GET' }]
      const issue = 'Batch with given sender_batch_id already exists'
      return [400, { name: 'USER_BUSINESS_ERROR', details: [{ field: 'SENDER_BATCH_ID', issue, link }] }]
    }
    const isWellFormed = items.every(
      ({ amount: { value, currency } }) => /^\d+\.\d\d$/.test(value) && currency === 'USD',
    )
    if (items.length === 0 || items.length > MAX_ITEMS || !isWellFormed) {
      return [400, { name: 'VALIDATION_ERROR', details: [{ field: 'items' }] }]
    }
    const batch = {
      id: randomBytes(6).toString('hex').toUpperCase(),
      senderId,
      status: 'PENDING',
      items: items.map((payout_item, index) => ({
        payout_item_id: `ITEM${index}`,
        transaction_id: randomBytes(8).toString('hex').toUpperCase(),
        transaction_status: 'PENDING',
        payout_item_fee: { currency: 'USD', value: toDecimal(FEE) },
        payout_item,
      })),
    }
    this.batches.push(batch)
    return [201, { batch_header: { payout_batch_id: batch.id, batch_status: batch.status } }]
  }

  /** Ends a batch, as PayPal does after a while. */
  process(batch: EmulatedBatch): void {
    if (batch.status !== 'PENDING' && batch.status !== 'PROCESSING') return
    batch.status = this.denies ? 'DENIED' : 'SUCCESS'
    for (const item of batch.items) {
      if (item.transaction_status !== 'PENDING') continue
      item.transaction_status = this.denies
        ? 'FAILED'
        : (this.outcomes.get(item.payout_item.receiver) ?? 'SUCCESS')
      if (this.denies) item.errors = { name: this.denies, message: 'Denied' }
    }
  }

  #read(url: URL): [number, unknown] {
    const batch = this.batches.find(({ id }) => url.pathname.endsWith(`/${id}`))
    if (!batch) return [404, { name: 'INVALID_RESOURCE_ID' }]
    if (!this.isSlow) this.process(batch)
    const size = Number(url.searchParams.get('page_size'))
    const page = Number(url.searchParams.get('page'))
    const items = this.items === 'all' ? batch.items : []
    const charged = items.filter((item) =>
      ['SUCCESS', 'UNCLAIMED', 'RETURNED'].includes(item.transaction_status),
    )
    return [
      200,
      {
        batch_header: {
          payout_batch_id: batch.id,
          batch_status: batch.status,
          sender_batch_header: { sender_batch_id: batch.senderId },
          fees: { currency: 'USD', value: toDecimal(charged.length * FEE) },
        },
        items: items.slice((page - 1) * size, page * size),
        total_items: items.length,
        total_pages: Math.max(1, Math.ceil(items.length / size)),
      },
    ]
  }
}

function callOf(method: string, path: string): Call | undefined {
  if (method === 'POST' && path === '/v1/oauth2/token') return 'token'
  if (method === 'POST' && path === '/v1/payments/payouts') return 'create'
  if (method === 'GET' && path.startsWith('/v1/payments/payouts/')) return 'read'
  if (method === 'GET' && path === '/v1/reporting/balances') return 'balance'
  return method === 'POST' && path === '/v1/notifications/verify-webhook-signature' ? 'verify' : undefined
}

function send(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}
