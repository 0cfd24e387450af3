import { existsSync } from 'node:fs'
import config from '../../playwright.config.ts'
import { expect, test } from './fixtures.ts'
import { signedUp, submitCard } from './sellers.ts'

/** Chromium's headless shell refuses every notification. Debian's Chromium, or else the one that Playwright installs. */
const debian = '/usr/bin/chromium'
const { executablePath: _shell, ...launchOptions } = config.use?.launchOptions ?? {}
const browser = existsSync(debian) ? { executablePath: debian } : { channel: 'chromium' }
test.use({ launchOptions: { ...launchOptions, ...browser } })

test('sellers are told when there is news, and a press on it opens the card', async ({ page, context }) => {
  await context.grantPermissions(['notifications'])
  await page.addInitScript(subscribeWithoutService)
  await signedUp(page)
  const id = await submitCard(page)
  await page.goto(`/confirmation?giftCardId=${id}`)
  await page.getByRole('button', { name: 'Tell me when there is news' }).click()
  await expect(page.getByText('Notifications are on in this browser')).toBeVisible()
  const state = await page.request.get('/api/user/push-subscriptions')
  expect((await state.json()).endpoint).toBe(ENDPOINT)

  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  const push = (title: string, path: string) => {
    const data = JSON.stringify({ title, body: 'Accept or decline.', tag: 'card', lang: 'en', path })
    return session.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(page.url()).origin,
      registrationId,
      data,
    })
  }
  const titles = () => worker.evaluate(shownTitles)
  await push('A question', '/account')
  await expect.poll(titles).toEqual(['A question'])
  await push('We can pay $74.40', `/account/card?id=${id}`)
  // It has replaced the one before.
  await expect.poll(titles).toEqual(['We can pay $74.40'])

  const opened = await worker.evaluate(pressNotification)
  expect(new URL(opened).pathname + new URL(opened).search).toBe(`/account/card?id=${id}`)
  expect(await titles()).toEqual([])

  await page.getByRole('link', { name: 'Choose your notifications' }).click()
  await expect(page).toHaveURL(/\/account\/notifications$/)
  await page.getByRole('button', { name: 'Turn off in this browser' }).click()
  await expect(page.getByRole('button', { name: 'Tell me when there is news' })).toBeVisible()
  expect((await (await page.request.get('/api/user/push-subscriptions')).json()).endpoint).toBeNull()
})

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
