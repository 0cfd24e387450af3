import { afterAll, beforeEach, expect, it } from 'vitest'
import { enqueuePayoutMails } from '#server/features/payouts/payout-mail.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { leaseJob } from '#server/platform/jobs/jobs.ts'
import { createTestApp } from '#test/app.ts'
import { sendMails } from '#test/mails.ts'
import { exportedBatch, payoutReturned } from '#test/payouts.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import type { Person } from '#test/person.ts'
import { PushService } from '#test/push-service.ts'
import { submitted, submittedIn } from '#test/submissions.ts'

const service = await PushService.start()
afterAll(() => service.close())
const server = await createTestApp({
  pushServices: [service.origin],
  site: { supportEmail: 'help@shop.example' },
})
const staff = await server.staff()
const path = '/api/user/push-subscriptions'
let seller: Person
let credentials: { email: string; password: string }
let browser: ReturnType<PushService['subscription']>

beforeEach(async () => {
  seller = await server.seller()
  const { email } = (await seller.get('/api/auth/me')).json.user
  credentials = { email, password: SELLER_PASSWORD }
  browser = await subscribed(seller)
})

async function subscribed(person: Person) {
  const subscription = service.subscription(server.push.publicKey)
  const { status } = await person.post(path, subscription)
  expect(status).toBe(201)
  return subscription
}

const move = (id: string, body: object) => staff.patch(`/api/admin/submissions/${id}/status`, body)

/** Makes everything that waits for a time due. */
const passTime = () => server.pool.query('update jobs set run_at = now() where done_at is null')

async function pushed(to = browser) {
  await passTime()
  await sendMails(server)
  return service.takeOf(to)
}

const titles = async () => (await pushed()).map(({ payload }) => payload.title)

it('tells about a question, an offer and a decision, in the language of the seller', async () => {
  const id = await submitted(seller)
  expect(await titles()).toEqual([])
  await move(id, { status: 'under_review', reason: 'Is 6006 the number?' })
  const [question] = await pushed()
  expect(question).toEqual({
    payload: {
      title: 'A question about your Amazon card',
      body: 'We will continue as soon as you answer.',
      tag: id.replaceAll('-', ''),
      lang: 'en',
      path: `/account/card?id=${id}`,
    },
    headers: { ttl: expect.stringMatching(/^863\d\d$/), urgency: 'high', topic: id.replaceAll('-', '') },
    subject: 'mailto:help@shop.example',
  })
  await seller.put('/api/user/locale', { locale: 'es' })
  await move(id, { status: 'offered', amount: '74.40', reason: 'It holds $80' })
  const [offer] = await pushed()
  expect(offer?.payload).toMatchObject({
    title: 'Podemos pagarle $74.40 por su tarjeta de Amazon',
    lang: 'es',
    path: `/es/account/card?id=${id}`,
  })
  await seller.post(`/api/user/gift-cards/${id}/decline`)
  expect(await titles()).toEqual([])
})

it('never names the brand that a seller typed', async () => {
  const id = await submitted(seller, { brand: 'corner_shop', sellingPrice: '85.00' })
  await move(id, { status: 'rejected', reason: 'Blurry' })
  expect(await titles()).toEqual(['We could not accept your gift card'])
})

it('waits as long as a move can be undone, and tells nothing about one that was', async () => {
  const id = await submitted(seller)
  const { json } = await move(id, { status: 'processing', undoable: true })
  await sendMails(server)
  expect(service.takeOf(browser)).toEqual([])
  await staff.post(`/api/admin/submissions/${id}/undo`, { version: json.version })
  expect(await titles()).toEqual([])
})

it('tells only the newest of two moves', async () => {
  const id = await submitted(seller)
  await move(id, { status: 'under_review', reason: 'Which shop?' })
  await move(id, { status: 'rejected', reason: 'Blurry' })
  expect(await titles()).toEqual(['We could not accept your Amazon card'])
})

it('tells about payouts', async () => {
  const id = await submittedIn('processing', { seller, staff })
  expect(await titles()).toEqual(['Approved: $93.00 for your Amazon card'])
  const batch = await exportedBatch(server, [id])
  await transaction(server.db, (tx) => enqueuePayoutMails(tx, batch))
  expect(await titles()).toEqual(['Your payout is on its way: $93.00 for your Amazon card'])
  await payoutReturned(server, id)
  expect(await titles()).toEqual(['Your payout for your Amazon card came back'])
})

it('tells about chat replies that are not read at once, without their text', async () => {
  await seller.post('/api/chat/messages', { message: 'Hello?' })
  const reply = (message: string) => staff.post('/api/admin/chat/reply', { userId: seller.id, message })
  await reply('First')
  expect((await reply('Second')).status).toBe(201)
  const [push, ...more] = await pushed()
  expect([push?.payload, more]).toEqual([
    {
      title: 'Support replied to you',
      body: 'Open the conversation to read it.',
      tag: 'chat',
      lang: 'en',
      path: '/processing?chat=open',
    },
    [],
  ])
  await reply('Third')
  await seller.post('/api/chat/mark-read')
  expect(await titles()).toEqual([])
})

it('asks the settings when it sends', async () => {
  const id = await submitted(seller)
  await move(id, { status: 'under_review', reason: 'Which shop?' })
  await seller.put('/api/user/notifications', { question: { push: false } })
  expect(await titles()).toEqual([])
})

it('goes to each browser that is still signed in', async () => {
  const phone = server.visitor()
  await phone.post('/api/auth/login', credentials)
  const phoneBrowser = await subscribed(phone)
  const id = await submitted(seller)
  await move(id, { status: 'under_review', reason: 'Which shop?' })
  expect((await titles()).length).toBe(1)
  expect(service.takeOf(phoneBrowser)).toHaveLength(1)
  await move(id, { status: 'rejected', reason: 'Blurry' })
  await phone.post('/api/auth/logout')
  expect(await titles()).toHaveLength(1)
  expect(service.takeOf(phoneBrowser)).toEqual([])
  // The next person on this phone gets no pushes until they turn them on.
  await phone.post('/api/auth/login', credentials)
  expect((await phone.get(path)).json.endpoint).toBeNull()
  // The same browser, then another seller's.
  await phone.post(path, browser)
  expect((await seller.get(path)).json.endpoint).toBeNull()
})

it('ends with the subscription, at the push service or here', async () => {
  const id = await submitted(seller)
  await move(id, { status: 'under_review', reason: 'Which shop?' })
  service.answers.push(410)
  expect(await titles()).toEqual([])
  expect((await seller.get(path)).json).toEqual({ publicKey: server.push.publicKey, endpoint: null })
  browser = await subscribed(seller)
  expect((await seller.get(path)).json.endpoint).toBe(browser.endpoint)
  await seller.delete(path)
  await move(id, { status: 'rejected', reason: 'Blurry' })
  expect(await titles()).toEqual([])
})

it('is not sent once it is a day old', async () => {
  const id = await submitted(seller)
  await move(id, { status: 'under_review', reason: 'Which shop?' })
  await server.pool.query(
    `update jobs set payload = payload || '{"until": "2026-01-01T00:00:00Z"}' where kind = 'push'`,
  )
  expect(await titles()).toEqual([])
})

it('has its own lane among the jobs', async () => {
  const id = await submitted(seller)
  await move(id, { status: 'under_review', reason: 'Which shop?' })
  const lease = async (lane: 'pushes' | 'everything else') =>
    (await leaseJob(server.db, 50, null, lane))?.kind
  const kinds = [
    await lease('everything else'),
    await lease('everything else'),
    await lease('everything else'),
  ]
  expect(kinds).not.toContain('push')
  expect(await lease('pushes')).toBe('push')
  expect(await lease('pushes')).toBeUndefined()
  await server.pool.query('update jobs set done_at = now() where done_at is null')
})

it('is sent again later if the push service does not take it', async () => {
  const { endpoint, keys } = browser
  const push = { payload: {}, topic: 'chat', urgency: 'normal', ttl: 60 } as const
  for (const status of [429, 503, 403, 307]) {
    service.answers.push(status)
    await expect(server.push.send({ endpoint, ...keys }, push)).rejects.toThrow(`answered ${status}`)
  }
})

it.each([
  'https://push.example/send/1',
  'http://fcm.googleapis.com/fcm/send/1',
  'https://fcm.googleapis.com:8443/fcm/send/1',
  'https://fcm.googleapis.com@127.0.0.1/fcm/send/1',
  'https://fcm.googleapis.com.push.example/1',
  'https://evilpush.apple.com/1',
  'https://127.0.0.1/1',
])('is never sent to %s', async (endpoint) => {
  const { keys } = service.subscription('')
  const answer = await seller.post(path, { endpoint, keys })
  expect(answer.json.errors).toMatchObject([{ path: 'endpoint', code: 'push_service_unknown' }])
})

it('goes to the services of the known browsers', () => {
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/1',
    'https://updates.push.services.mozilla.com/wpush/v2/1',
    'https://web.push.apple.com/1',
    'https://wns2-par02p.notify.windows.com/w/?token=1',
  ])
    expect(server.push.accepts(endpoint), endpoint).toBe(true)
})

it('refuses keys that nothing can be encrypted with', async () => {
  const { endpoint, keys } = service.subscription('')
  const answer = await seller.post(path, { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } })
  expect(answer.json.errors).toMatchObject([{ path: 'keys.p256dh', code: 'push_subscription_invalid' }])
})

it('goes to at most ten browsers of a seller', async () => {
  for (let count = 0; count < 10; count += 1) {
    const phone = server.visitor()
    await phone.post('/api/auth/login', credentials)
    await subscribed(phone)
  }
  expect((await seller.get(path)).json.endpoint).toBeNull()
})
