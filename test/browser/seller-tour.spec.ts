import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { test as base, expect, fillRegistration, listen, newSeller } from './fixtures.ts'
import { expectToast, forgive } from './sellers.ts'
import { files, picker, submit } from './selling.ts'

/** Chromium's headless shell refuses every notification. Debian's Chromium, or else the one that Playwright installs. */
const debian = '/usr/bin/chromium'
const full = existsSync(debian) ? { executablePath: debian } : { channel: 'chromium' }

const test = base.extend({
  context: async ({ playwright, launchOptions, site, complaints }, use) => {
    const { executablePath: _shell, ...options } = launchOptions
    const browser = await playwright.chromium.launch({ ...options, ...full })
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
    // People wait until the page has stopped scrolling. A tap of the test would miss.
    const context = await browser.newContext({ baseURL: site, ...phone, reducedMotion: 'reduce' })
    listen(context, complaints)
    await use(context)
    await browser.close()
  },
})

/** A new seller on a phone, from the landing page to the payout. The connection is slow until the cards are sent. */
test('a new seller sells three cards on a phone, answers an offer from a notification, and is paid', async ({
  page,
  context,
  ana,
  database,
  dataDir,
  complaints,
}) => {
  test.slow()
  const seller = newSeller()
  await context.grantPermissions(['notifications'])
  await page.addInitScript(subscribeWithoutService)
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  const setSpeed = (latency: number, down: number, up: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: down,
      uploadThroughput: up,
    })
  await setSpeed(150, 200_000, 94_000)
  const main = page.getByRole('main')
  const card = (brand: string) => page.getByRole('region', { name: brand, exact: true })
  const sell = page.getByRole('button', { name: 'Sell 3 Cards' })

  await test.step('gets three quotes, also after a reload', async () => {
    await page.goto('/')
    await main.getByRole('link', { name: 'Get My Quote Now' }).first().tap()
    await quote(page, 'amazn', 'Amazon', '$100')
    await page.getByRole('button', { name: 'Add Another Card' }).tap()
    await quote(page, 'starbuks', 'Starbucks', '$100')
    await page.getByRole('button', { name: 'Add Another Card' }).tap()
    await expect(page.getByText('2 cards, you get')).toBeVisible()
    await page.reload()
    await quote(page, 'targt', 'Target', '$100')
    await expect(sell).toBeInViewport({ ratio: 1 })
    await sell.tap()
  })

  await test.step('registers without losing them', async () => {
    await expect(page).toHaveURL(/\/login$/)
    await page.goBack()
    await expect(sell).toBeInViewport()
    await sell.tap()
    await expect(main.getByText('Your quotes are kept')).toBeVisible()
    await main.getByRole('link', { name: 'Create Account' }).tap()
    await fillRegistration(page, seller)
    await page.getByRole('button', { name: 'Create Account' }).tap()
    await expect(page).toHaveURL(/\/sell-card\?sale=/)
    await page.goBack()
    await expect(page).toHaveURL(/\/get-quote$/)
    await sell.tap()
    await expect(main.getByRole('heading', { name: 'Sell your 3 cards' })).toBeVisible()
    await page.getByRole('button', { name: 'Continue to Submission' }).tap()
  })
  const saleId = new URL(page.url()).searchParams.get('sale') ?? ''
  const fillCard = async (number: string) => {
    await page.getByLabel('Card number').fill(number)
    await picker(page).setInputFiles(await files(1))
    await page.getByRole('button', { name: 'Done With This Card' }).tap()
  }

  await test.step('enters the cards; a file that is no photo is refused', async () => {
    const noPhoto = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') }
    await picker(page).setInputFiles(noPhoto)
    await expect(card('Amazon').getByText('We could not open this photo.')).toBeVisible()
    await expect(
      card('Amazon').getByText('Still to complete or correct: Card number, Card photos'),
    ).toBeVisible()
    for (const number of ['6006 4930 1234 5671', '6006 4930 1234 5672', '6006 4930 1234 5673']) {
      await fillCard(number)
    }
    await page.getByLabel('Payment method').selectOption('PayPal')
    await page.getByLabel('Account holder name').fill('Sally Seller')
    await page.getByLabel('Account information').fill('sally@example.com')
  })

  let sent = 0
  // A service worker that is being installed would be lost with the connection.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await test.step('loses the connection after the second card, reloads and continues', async () => {
    let isLost = false
    await page.route('**/api/gift-cards', async (route) => {
      if (isLost) return route.abort('connectionreset')
      sent += 1
      if (sent !== 2) return route.continue()
      isLost = true
      await route.fetch()
      await context.setOffline(true)
      await route.abort('connectionreset')
    })
    await submit(page).tap()
    await expectToast(page, 'Submission Failed', 'We could not be reached')
    await expect(card('Amazon').getByText('Sent')).toBeVisible()
    await expect(card('Target').getByText('Not sent')).toBeVisible()
    await context.setOffline(false)
    isLost = false
    await page.reload()
    for (const brand of ['Amazon', 'Starbucks']) await expect(card(brand).getByText('Sent')).toBeVisible()
    await fillCard('6006 4930 1234 5673')
    await expect(page.getByLabel('Account information')).toHaveValue('sally@example.com')
    await page.getByRole('button', { name: 'Submit 1 Card' }).tap()
    await expect(page).toHaveURL(`/confirmation?saleId=${saleId}`)
    await setSpeed(0, -1, -1)
  })

  const rows = main.getByRole('region', { name: 'Your cards' }).getByRole('listitem')
  await test.step('sees all three confirmed, also after Back and a reload', async () => {
    await expect(rows).toContainText(['Amazon', 'Starbucks', 'Target'])
    await page.reload()
    await expect(rows).toHaveCount(3)
    await page.goBack()
    await expect(main.getByText('These 3 cards were submitted')).toBeVisible()
    await page.goForward()
    await expect(rows).toHaveCount(3)
    expect(sent).toBe(3)
    const { rows: stored } = await database.query(
      'select brand, sale_id from gift_cards join users on users.id = gift_cards.seller_id where username = $1 order by sale_position',
      [seller.username],
    )
    expect(stored).toEqual(['amazon', 'starbucks', 'target'].map((brand) => ({ brand, sale_id: saleId })))
  })

  await page.getByRole('button', { name: 'Tell me when there is news' }).tap()
  await expect(page.getByText('Notifications are on in this browser')).toBeVisible()
  const state = await page.request.get('/api/user/push-subscriptions')
  expect((await state.json()).endpoint).toBe(ENDPOINT)
  await page.getByRole('link', { name: 'Follow Your Cards' }).tap()
  await expect(main.getByRole('list', { name: 'Progress' })).toHaveCount(3)

  const cards = await (await page.request.get(`/api/user/gift-cards?saleId=${saleId}`)).json()
  const id: string = cards[0].id
  await test.step('accepts an offer from a notification', async () => {
    const data = { status: 'offered', amount: '74.40', reason: 'The card holds $80' }
    const offered = await ana.request.patch(`/api/admin/submissions/${id}/status`, { data })
    expect(offered.status(), await offered.text()).toBe(200)
    const { worker, push } = await deliverPushes(page, context)
    const titles = () => worker.evaluate(shownTitles)
    // Chromium may lose a push while it starts the worker. One that comes again replaces itself.
    const arrives = async (title: string, path: string) => {
      await push(title, path)
      return titles()
    }
    await expect.poll(() => arrives('A question', '/account')).toEqual(['A question'])
    // It has replaced the one before.
    const offer = 'We can pay $74.40'
    await expect.poll(() => arrives(offer, `/account/card?id=${id}`)).toEqual([offer])
    const opened = await worker.evaluate(pressNotification)
    expect(new URL(opened).pathname + new URL(opened).search).toBe(`/account/card?id=${id}`)
    expect(await titles()).toEqual([])
    await page.goto(opened)
    await main.getByRole('button', { name: 'Accept $74.40' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept $74.40' }).tap()
    await expect(main).toContainText('Approved: confirm your email and we will pay you')
  })

  await test.step('sees the confirmation number of the payout', async () => {
    const [payout] = await (await ana.request.get(`/api/admin/payouts?q=${id}`)).json()
    const data = { reference: 'PP-8F2K' }
    const paid = await ana.request.post(`/api/admin/payouts/${payout.id}/paid`, { data })
    expect(paid.status(), await paid.text()).toBe(200)
    await expect(main).toContainText('PayPal confirmation PP-8F2K')
    await page.goto('/account')
    await expect(main.getByRole('heading', { name: 'Paid' })).toBeVisible()
    await expect(main).toContainText('PayPal confirmation PP-8F2K')
  })

  const receipts = await subjectsTo(dataDir, seller.email)
  expect(receipts.filter((subject) => subject.includes('We received your'))).toEqual([
    'We received your 3 gift cards',
  ])

  await main.getByRole('link', { name: 'Notifications' }).tap()
  // The page was loaded again, which lost the subscription of the test.
  await page.getByRole('button', { name: 'Tell me when there is news' }).tap()
  await page.getByRole('button', { name: 'Turn off in this browser' }).tap()
  await expect(page.getByRole('button', { name: 'Tell me when there is news' })).toBeVisible()
  expect((await (await page.request.get('/api/user/push-subscriptions')).json()).endpoint).toBeNull()
  // While offline, the service worker's script cannot be fetched either.
  forgive(complaints, /net::ERR_|WebSocket|fetching the script/)
})

/** Finds a brand by a misspelled name and chooses one of the amounts offered. */
async function quote(page: Page, typed: string, brand: string, amount: string): Promise<void> {
  await page.getByLabel('Search brands').fill(typed)
  const best = page.getByRole('region', { name: 'All Brands' }).getByRole('button').first()
  // Until the app has started, all brands are there.
  await expect(best).toContainText(brand)
  await best.tap()
  await page.getByRole('button', { name: amount, exact: true }).tap()
}

async function subjectsTo(dataDir: string, to: string): Promise<string[]> {
  const folder = join(dataDir, 'mail')
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return mails
    .filter((mail) => mail.includes(`To: ${to}`))
    .map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim() ?? '')
}

/** Pushes reach the page's service worker as if they came from the push service. */
async function deliverPushes(page: Page, context: BrowserContext) {
  const worker = context.serviceWorkers().at(-1) ?? (await context.waitForEvent('serviceworker'))
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ isDeleted }) => !isDeleted)
      if (registration) resolve(registration.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const push = (title: string, path: string) => {
    const data = JSON.stringify({ title, body: 'Accept or decline.', tag: 'card', lang: 'en', path })
    const { origin } = new URL(page.url())
    return session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
  return { worker, push }
}

const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/test'

/** Subscribes without a push service, which a test must not need. */
function subscribeWithoutService(): void {
  const decode = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  let current: object | null = null
  PushManager.prototype.getSubscription = async () => current as PushSubscription | null
  PushManager.prototype.subscribe = async (options) => {
    const endpoint = 'https://fcm.googleapis.com/fcm/send/test'
    // The example of RFC 8291.
    const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
    current = {
      endpoint,
      options: { applicationServerKey: decode(String(options?.applicationServerKey)).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }),
      unsubscribe: async () => {
        current = null
        return true
      },
    }
    return current as PushSubscription
  }
}

/** In the service worker. */
async function shownTitles(): Promise<string[]> {
  const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
  return (await registration.getNotifications()).map(({ title }) => title)
}

/** In the service worker: presses the one notification, and returns the address that is opened. */
async function pressNotification(): Promise<string> {
  const scope = self as unknown as {
    registration: ServiceWorkerRegistration
    clients: { openWindow: (address: string) => Promise<null> }
  }
  const [notification] = await scope.registration.getNotifications()
  return new Promise((resolve) => {
    scope.clients.openWindow = async (address) => {
      resolve(address)
      return null
    }
    // Only the browser can make an event that a worker waits for.
    const event = Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} })
    self.dispatchEvent(event)
  })
}
