import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { webhookEvents } from '#contract/webhooks.ts'
import { tidy } from '#server/housekeeping.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { afterwards } from '#test/afterwards.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { contacted } from '#test/chat.ts'
import { exportedBatch, payoutPaid, payoutReturned } from '#test/payouts.ts'
import { linked, type Person } from '#test/person.ts'
import { countSent } from '#test/round-trips.ts'
import { submit, submitted } from '#test/submissions.ts'
import { WebhookReceiver } from '#test/webhook-receiver.ts'
import { withoutRandom } from '#test/without-random.ts'
import { RETRY_SECONDS, WebhookWorkers } from './workers.ts'

const WEBHOOKS = '/api/admin/webhooks'
const DELIVERIES = '/api/admin/webhook-deliveries'
let server: TestApp
let owner: Person
let seller: Person
beforeAll(async () => {
  server = await createTestApp({ site: { webhooksAllowPrivate: true } })
  owner = await server.staff()
  seller = await server.seller()
})

/** Sends what is due now, as the workers of a server do. */
async function working({ context, db, pool, push } = server) {
  const mailer = { sendMail: async () => {} }
  const workers = new WebhookWorkers({ db, log: context.log, handlers: jobHandlers(context, mailer, push) })
  await workers.refresh()
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        "select 1 from jobs where kind = 'webhook' and done_at is null and failed_at is null and run_at <= now() and payload->>'endpointId' in (select id::text from webhook_endpoints where not paused)",
      )
      return rows.length
    })
    .toBe(0)
  await workers.stop()
}

async function added({ events = webhookEvents as readonly string[], url = '' } = {}) {
  const receiver = await WebhookReceiver.start()
  const { id, secret }: Record<'id' | 'secret', string> = (
    await owner.post(WEBHOOKS, { url: url || receiver.url, events })
  ).json
  const remove = () => owner.delete(`${WEBHOOKS}/${id}`)
  const deliveries = async () => (await owner.get(`${DELIVERIES}?endpointId=${id}`)).json
  return { id, secret, receiver, remove, deliveries }
}

const move = (id: string, status: string, more = {}) =>
  owner.patch(`/api/admin/submissions/${id}/status`, { status, ...more })
const later = () =>
  server.pool.query(
    "update jobs set run_at = now() where kind = 'webhook' and done_at is null and failed_at is null",
  )

describe('an endpoint', () => {
  it('is sent every event once, signed, and nothing secret', async () => {
    const { receiver, secret, remove } = await added()
    const saleId = randomUUID()
    const card = { saleId, cardNumber: '5555 6666 7777 8888', securityCode: '2468' }
    const { id } = (await submit(seller, card)).json.giftCard
    await move(id, 'processing')
    await exportedBatch(server, [id])
    await payoutPaid(server, id, 'ACH-77')
    await payoutReturned(server, id)
    await seller.post('/api/chat/messages', { message: 'Where is my secret money?' })
    await contacted(server)
    await owner.post('/api/admin/chat/reply', { userId: seller.id, message: 'On its way' })
    await working()

    const of = (type: string) => receiver.received.filter(({ json }) => json.type === type)
    expect(of('submission.created')).toMatchObject([
      {
        json: {
          timestamp: expect.stringMatching(/Z$/),
          data: { id, userId: seller.id, saleId, brand: 'amazon', denomination: '100.00', status: 'pending' },
        },
      },
    ])
    const moves = of('submission.moved').map(({ json: { data } }) => [data.from, data.status, data.move])
    expect(moves).toEqual(
      expect.arrayContaining([
        ['pending', 'processing', 'start'],
        ['processing', 'completed', 'complete'],
      ]),
    )
    expect(of('payout.paid')).toMatchObject([
      { json: { data: { submissionId: id, amount: '93.00', state: 'paid' } } },
    ])
    expect(of('payout.returned')).toMatchObject([{ json: { data: { submissionId: id, state: 'returned' } } }])
    expect(of('message.received')).toMatchObject([
      { json: { data: { userId: seller.id } } },
      { json: { data: { userId: null } } },
    ])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(
      receiver.received.length,
    )
    const everything = JSON.stringify(receiver.received)
    expect(withoutRandom(everything)).not.toMatch(/8888|2468|secret money|On its way|ACH-77|@|sally/i)
    expect(everything).not.toContain(secret)
    await remove()
  })

  it('announces a sale once, when its last card is final', async () => {
    const { receiver, remove } = await added({ events: ['sale.completed'] })
    const saleId = randomUUID()
    const [one, other] = [
      (await submit(seller, { saleId })).json.giftCard.id,
      (await submit(seller, { saleId })).json.giftCard.id,
    ]
    await move(one, 'completed')
    await working()
    expect(receiver.received).toEqual([])
    await Promise.all([
      move(other, 'rejected', { reason: 'Blurry' }),
      move(await submitted(seller), 'completed'),
    ])
    await working()
    const submissions = [
      { id: one, status: 'completed', sellingPrice: '93.00' },
      { id: other, status: 'rejected', sellingPrice: '93.00' },
    ]
    expect(receiver.received).toMatchObject([{ json: { data: { id: saleId, submissions } } }])
    const { version } = (await owner.get(`/api/admin/submissions/${one}`)).json
    await move(one, 'processing', { version })
    await move(one, 'completed')
    await working()
    expect(receiver.received).toHaveLength(1)
    await remove()
  })

  it('gets what it subscribed to, and nothing while it is paused or after it is deleted', async () => {
    const { id, receiver, remove } = await added({ events: ['submission.created'] })
    const card = await submitted(seller)
    await move(card, 'processing')
    await working()
    expect(receiver.types()).toEqual(['submission.created'])
    expect((await owner.patch(`${WEBHOOKS}/${id}`, { paused: true })).json.paused).toBe(true)
    await submitted(seller)
    await working()
    await owner.patch(`${WEBHOOKS}/${id}`, { paused: false, events: ['submission.moved'] })
    await move(card, 'completed')
    await working()
    expect(receiver.types()).toEqual(['submission.created', 'submission.moved'])
    await move(card, 'processing', { version: 3 })
    await remove()
    await working()
    expect(receiver.received).toHaveLength(2)
    const { rows } = await server.pool.query(
      "select 1 from jobs where kind = 'webhook' and payload->>'endpointId' = $1 and done_at is null",
      [id],
    )
    expect(rows).toEqual([])
  })

  it('that is down for an hour gets everything afterwards, with the same ids', async () => {
    const { receiver, remove, deliveries } = await added({ events: ['submission.created'] })
    receiver.answer = 503
    const ids = [await submitted(seller), await submitted(seller)]
    await working()
    await later()
    await working()
    expect(await deliveries()).toMatchObject([
      { state: 'waiting', attempts: 2, responseCode: 503, nextAttemptAt: expect.any(String) },
      { state: 'waiting', attempts: 2, responseCode: 503 },
    ])
    receiver.answer = 200
    await later()
    await working()
    expect(await deliveries()).toMatchObject([
      { state: 'delivered', attempts: 3, responseCode: 200, error: null, nextAttemptAt: null },
      { state: 'delivered', attempts: 3, durationMs: expect.any(Number) },
    ])
    const first = receiver.received.filter(({ json }) => json.data.id === ids[0])
    expect(first).toHaveLength(3)
    expect(new Set(first.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(first.map(({ body }) => body)).size).toBe(1)
    await remove()
  })

  it('is given up after three days, which is shown, and resent by hand', async () => {
    expect(RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 86_400).toBeCloseTo(3, 1)
    const { id, receiver, remove, deliveries } = await added({ events: ['submission.created'] })
    receiver.answer = 500
    await submitted(seller)
    for (let attempt = 0; attempt <= RETRY_SECONDS.length; attempt++) {
      await later()
      await working()
    }
    const [given] = await deliveries()
    expect(given).toMatchObject({ state: 'failed', attempts: RETRY_SECONDS.length + 1 })
    expect((await owner.get(WEBHOOKS)).json.find((one: { id: string }) => one.id === id)).toMatchObject({
      lastDelivered: null,
      lastFailed: expect.any(String),
    })
    receiver.answer = 204
    expect((await owner.post(`${DELIVERIES}/${given.id}/resend`)).status).toBe(200)
    await working()
    expect(await deliveries()).toMatchObject([{ id: given.id, state: 'delivered' }])
    // Also long after the job was deleted.
    await server.pool.query('delete from jobs where id = $1', [given.id])
    await owner.post(`${DELIVERIES}/${given.id}/resend`)
    await working()
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(given.id)
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body)
    await remove()
  })

  it('that hangs does not hold up another', async () => {
    const [slow, quick] = [
      await added({ events: ['submission.created'] }),
      await added({ events: ['submission.created'] }),
    ]
    slow.receiver.answer = 'hang'
    for (let card = 0; card < 3; card++) await submitted(seller)
    const { context, db, push } = server
    const handlers = jobHandlers(context, { sendMail: async () => {} }, push)
    const workers = new WebhookWorkers({ db, log: context.log, handlers })
    await workers.refresh()
    await expect.poll(() => quick.receiver.received.length).toBe(3)
    await expect.poll(() => slow.receiver.received.length).toBe(1)
    await slow.remove()
    await quick.remove()
    await workers.refresh()
    await workers.stop()
  })

  it('gets the event although the server died after the commit, and no event of a rollback', async () => {
    const { receiver, remove } = await added({ events: ['submission.moved'] })
    const id = await submitted(seller)
    await move(id, 'processing')
    // A worker that died with the job leased.
    await server.pool.query(
      "update jobs set attempts = 1, run_at = now() + interval '50 seconds' where kind = 'webhook' and done_at is null",
    )
    await working()
    expect(receiver.received).toEqual([])
    await later()
    expect((await move(id, 'processing')).status).toBe(409)
    await working()
    expect(receiver.received).toMatchObject([{ json: { data: { id, status: 'processing' } } }])
    await remove()
  })

  it('can be tested', async () => {
    const { id, receiver, remove, deliveries } = await added({ events: ['payout.paid'] })
    await owner.post(`${WEBHOOKS}/${id}/test`)
    await working()
    expect(receiver.received).toMatchObject([{ json: { type: 'webhook.test', data: {} } }])
    expect(await deliveries()).toMatchObject([{ event: 'webhook.test', state: 'delivered' }])
    await remove()
  })

  it('lists deliveries in pages, for 30 days', async () => {
    const { id, remove, deliveries } = await added({ events: ['payout.paid'] })
    for (let sent = 0; sent < 3; sent++) await owner.post(`${WEBHOOKS}/${id}/test`)
    await working()
    const all = (await deliveries()).map((one: { id: string }) => one.id)
    const page = await owner.get(`${DELIVERIES}?endpointId=${id}&limit=2`)
    expect(page.headers['x-total-count']).toBe('3')
    const rest = await owner.get(linked(page))
    expect([...page.json, ...rest.json].map((one: { id: string }) => one.id)).toEqual(all)
    await server.pool.query(
      "update webhook_deliveries set created_at = now() - interval '31 days' where id = $1",
      [all[0]],
    )
    await tidy(server.context, { eraseAfterDays: 90 })
    expect(await deliveries()).toHaveLength(2)
    await remove()
  })
})

describe('adding an endpoint', () => {
  it('refuses addresses without https, in private networks, unknown, or with credentials', async () => {
    const strict = await createTestApp()
    const staff = await strict.staff()
    const refused = async (url: string) =>
      (await staff.post(WEBHOOKS, { url, events: ['payout.paid'] })).json.errors[0].code
    expect(await refused('http://example.com/hook')).toBe('webhook_url_invalid')
    expect(await refused('not an address')).toBe('webhook_url_invalid')
    expect(await refused('https://user:word@127.0.0.1/')).toBe('webhook_url_invalid')
    expect(await refused('ftp://127.0.0.1/')).toBe('webhook_url_invalid')
    expect(await refused('https://127.0.0.1/')).toBe('webhook_url_private')
    expect(await refused('https://169.254.169.254/latest/meta-data')).toBe('webhook_url_private')
    expect(await refused('https://nowhere.invalid/')).toBe('webhook_url_unknown')
    const none = await staff.post(WEBHOOKS, { url: 'https://127.0.0.1/', events: [] })
    expect(none.json.errors).toMatchObject([{ code: 'webhook_events_required' }])
  })

  it('refuses an unknown host without https, and an address that became private since', async () => {
    const strict = await createTestApp()
    const staff = await strict.staff()
    Object.assign(strict.context.site, { webhooksAllowPrivate: true })
    const unknown = await staff.post(WEBHOOKS, { url: 'http://nowhere.invalid/', events: ['payout.paid'] })
    expect(unknown.json.errors).toMatchObject([{ code: 'webhook_url_invalid' }])
    const receiver = await WebhookReceiver.start()
    const { id } = (await staff.post(WEBHOOKS, { url: receiver.url, events: ['payout.paid'] })).json
    Object.assign(strict.context.site, { webhooksAllowPrivate: false })
    await staff.post(`${WEBHOOKS}/${id}/test`)
    await working(strict)
    expect((await staff.get(`${DELIVERIES}?endpointId=${id}`)).json).toMatchObject([
      { state: 'waiting', error: 'private_address', responseCode: null },
    ])
    expect(receiver.received).toEqual([])
  })

  it('seals the secret and names only the host in the audit log', async () => {
    const { id, secret, receiver, remove } = await added({ events: ['payout.paid'] })
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect((await owner.get(WEBHOOKS)).text).not.toContain(secret)
    const { rows } = await server.pool.query('select row_to_json(e)::text as row from webhook_endpoints e')
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
    await owner.post(`${WEBHOOKS}/${id}/secret`)
    await remove()
    const { host } = new URL(receiver.url)
    const entries = (await owner.get(`/api/admin/audit?subject=${encodeURIComponent(host)}`)).json
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'webhook.deleted',
      'webhook.secret_rotated',
      'webhook.added',
    ])
    expect(JSON.stringify(entries)).not.toContain('/hook')
  })

  it('is for owners', async () => {
    const manager = await server.staff('mia', 'manager')
    expect((await manager.get(WEBHOOKS)).json.code).toBe('not_permitted')
  })
})

it('adds no statement to a move, with or without endpoints', async () => {
  const moved = async () => {
    const id = await submitted(seller)
    return (await countSent(server.pool, () => move(id, 'processing'))).statements
  }
  const without = await moved()
  const { remove } = await added()
  expect(await moved()).toBe(without)
  await remove()
})

describe('the receiver of docs/api.md', () => {
  it('takes signed events once, with the old secret and the new one, and refuses others', async () => {
    const markdown = await readFile(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
    const program = /^```js\n(\/\/ receiver\.mjs.*?)^```$/ms.exec(markdown)?.[1]
    if (!program) throw new Error('docs/api.md has no receiver')
    const file = join(await mkdtemp(join(tmpdir(), 'unspent-receiver-')), 'receiver.mjs')
    await writeFile(file, program)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const { json } = await owner.post(WEBHOOKS, { url, events: ['submission.created'] })
    const start = async (secret: string) => {
      const child = spawn(process.execPath, [file], { env: { WEBHOOK_SECRET: secret, PORT: String(port) } })
      afterwards(async () => void child.kill())
      let printed = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
      })
      await expect
        .poll(() =>
          fetch(url, { method: 'POST', body: '{}' }).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(401)
      return { child, printed: () => printed }
    }
    const before = await start(json.secret)
    const id = await submitted(seller)
    await working()
    await expect.poll(before.printed).toContain(id)
    const states = async () =>
      (await owner.get(`${DELIVERIES}?endpointId=${json.id}`)).json.map(
        ({ state }: { state: string }) => state,
      )
    const [{ id: deliveryId }] = (await owner.get(`${DELIVERIES}?endpointId=${json.id}`)).json
    await owner.post(`${DELIVERIES}/${deliveryId}/resend`)
    const { secret } = (await owner.post(`${WEBHOOKS}/${json.id}/secret`)).json
    await working()
    expect(await states()).toEqual(['delivered'])
    expect(before.printed().split(id)).toHaveLength(2)
    before.child.kill()
    await expect.poll(() => before.child.killed && before.child.signalCode).toBe('SIGTERM')
    const after = await start(secret)
    const next = await submitted(seller)
    await working()
    await expect.poll(after.printed).toContain(next)
    // A secret that is over after a day.
    await server.pool.query("update webhook_endpoints set rotated_at = now() - interval '25 hours'")
    after.child.kill()
    await expect.poll(() => after.child.signalCode).toBe('SIGTERM')
    await start(json.secret)
    await submitted(seller)
    await working()
    expect(await states()).toEqual(['waiting', 'delivered', 'delivered'])
    await owner.delete(`${WEBHOOKS}/${json.id}`)
  })
})

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
