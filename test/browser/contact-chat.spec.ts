import type { Page } from '@playwright/test'
import { contactForm } from '../chat.ts'
import { contact } from './chat-desk.ts'
import { letItShow, skipTime, stopTheClock } from './clock.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'
import { asStaff, expectToast, forgive, mailedLink, tooMany } from './sellers.ts'

const log = (page: Page) => page.getByRole('log', { name: 'Messages with support' })
const field = (page: Page) => page.getByLabel('Your message')
const waiting = 'Your message has been received. Waiting for agent response...'

/** Starts a conversation as a visitor and opens its chat. @returns the session id */
async function startChat(page: Page): Promise<string> {
  const session = await contact(page)
  await page.goto(`/contact/chat?session=${session}`)
  await expect(log(page)).toBeVisible()
  return session
}

test.describe('/contact/chat', () => {
  test('redirects to the form without a session', async ({ page }) => {
    await page.goto('/contact/chat')
    await expect(page).toHaveURL(/\/contact$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeVisible()
  })

  test('reports an unknown session and stops polling', async ({ page }) => {
    let polls = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/contact/messages')) polls += 1
    })
    await page.clock.install()
    await page.goto('/contact/chat?session=there-is-none')
    await expect(page.getByText('This conversation does not exist')).toBeVisible()
    await skipTime(page, 30_000)
    expect(polls).toBe(1)
  })

  test('reports a failure to load and offers to try again', async ({ page, complaints }) => {
    await page.route('**/api/contact/messages?**', (route) => route.fulfill({ status: 500, body: 'oops' }))
    const session = await contact(page)
    await page.goto(`/contact/chat?session=${session}`)
    await expect(page.getByRole('alert')).toContainText('The messages could not be loaded.')
    await page.unroute('**/api/contact/messages?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(log(page).getByText(contactForm.message)).toBeVisible()
    forgive(complaints, /500/)
  })

  test('what was typed or could not be sent survives a reload', async ({ page, complaints }) => {
    const session = await startChat(page)
    await page.route('**/api/contact/message', (route) => route.abort())
    await field(page).fill('Sent in a tunnel')
    await field(page).press('Enter')
    await expectToast(page, 'Error', 'Failed to send message. Please try again.')
    await field(page).fill('Still being written')
    await page.unroute('**/api/contact/message')
    await page.reload()
    await expect(field(page)).toHaveValue('Still being written')
    const stored = async () => {
      const answer = await page.request.get(`/api/contact/messages?sessionId=${session}`)
      return (await answer.json()).map(({ message }: { message: string }) => message)
    }
    await expect.poll(stored).toContain('Sent in a tunnel')
    await page.reload()
    await expect(log(page).getByText('Sent in a tunnel')).toHaveCount(1)
    forgive(complaints, /net::ERR_FAILED/)
  })

  test('shows the message, the end of the session id and support hours', async ({ page }) => {
    const session = await startChat(page)
    await expect(log(page).getByText(contactForm.message)).toBeVisible()
    await expect(log(page).getByText(waiting)).toBeVisible()
    await expect(page.getByText(session.slice(-8), { exact: true })).toBeVisible()
    await expect(page.getByText(session, { exact: true })).toHaveCount(0)
    await expect(page.getByText('Usually within 2-5 minutes')).toBeVisible()
    await expect(page.getByText('Mon-Fri, 9 AM - 6 PM EST')).toBeVisible()
    await expect(log(page).getByText(/^[A-Z][a-z]{2} \d{1,2}, [012]\d:[0-5]\d$/)).toBeVisible()
  })

  for (const [time, answer] of [
    ['2026-11-27T15:00:00Z', 'A person usually answers within 2-5 minutes.'],
    ['2026-11-28T08:00:00Z', 'A person answers on Monday from'],
  ] as const) {
    test(`says at ${time} when somebody answers`, async ({ page }) => {
      await page.route('**/api/contact/**', async (route) => {
        const response = await route.fetch()
        const date = new Date(time).toUTCString()
        await route.fulfill({ response, headers: { ...response.headers(), date } })
      })
      await startChat(page)
      await expect(log(page).getByText(answer)).toBeVisible()
      await expect(log(page).getByText(/^A person .*answers/)).toHaveCount(1)
    })
  }

  test('is hidden from search engines and sends no referrer', async ({ page }) => {
    const answer = await page.goto('/contact/chat?session=secret')
    expect(answer?.headers()['x-robots-tag']).toBe('noindex')
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
  })

  test('sends on Enter, adds a line on Shift+Enter, and does not send blanks', async ({ page }) => {
    await startChat(page)
    const sendButton = page.getByRole('button', { name: 'Send', exact: true })
    await expect(sendButton).toBeDisabled()
    await field(page).fill('   ')
    await field(page).press('Enter')
    await expect(sendButton).toBeDisabled()
    await expect(log(page).getByRole('listitem')).toHaveCount(1)
    await field(page).fill('')
    await field(page).pressSequentially('One')
    await field(page).press('Shift+Enter')
    await field(page).pressSequentially('Two')
    await expect(log(page).getByRole('listitem')).toHaveCount(1)
    await field(page).press('Enter')
    await expect(log(page).getByText('One\nTwo')).toBeVisible()
    await expect(field(page)).toHaveValue('')
    await expect(field(page)).toBeFocused()
    await page.reload()
    await expect(log(page).getByRole('listitem')).toHaveCount(2)
  })

  test('shows a message at once and offers to retry one that failed', async ({ page }) => {
    await startChat(page)
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/contact/message', async (route) => {
      await answered
      await tooMany(route)
    })
    await field(page).fill('Is anybody there?')
    await field(page).press('Enter')
    await expect(log(page).getByText('Is anybody there?')).toBeVisible()
    await expect(log(page).getByText('Sending...')).toBeVisible()
    answer()
    await expect(page.getByText('Failed to send message. Please try again.', { exact: true })).toBeVisible()
    await expect(log(page).getByText('Not sent')).toBeVisible()
    await page.unroute('**/api/contact/message')
    await log(page).getByRole('button', { name: 'Try again' }).click()
    await expect(log(page).getByText('Not sent')).toHaveCount(0)
    await page.reload()
    await expect(log(page).getByText('Is anybody there?')).toHaveCount(1)
  })

  test('asks before sending a card number', async ({ page }) => {
    await startChat(page)
    await field(page).fill('It is 4111 1111 1111 1111')
    await field(page).press('Enter')
    await expect(page.getByText('This looks like a card number')).toBeVisible()
    await expect(log(page).getByRole('listitem')).toHaveCount(1)
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await expect(log(page).getByRole('listitem')).toHaveCount(2)
  })

  test('shows a pushed reply on the left and stops waiting', async ({ page, staffPage }) => {
    const pushed: string[] = []
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => pushed.push(String(payload))),
    )
    const sessionId = await startChat(page)
    await asStaff(staffPage)
    await expect(log(page).getByText(waiting)).toBeVisible()
    await reply(staffPage, { sessionId, message: 'Yes, we do.' })
    const answer = log(page).getByText('Yes, we do.')
    await expect(answer).toBeVisible()
    await expect.poll(() => pushed.map((text) => JSON.parse(text).type)).toContain('NEW_CHAT_MESSAGE')
    await expect(log(page).getByText('Support agent')).toBeVisible()
    await expect(log(page).getByText(waiting)).toHaveCount(0)
    const box = await answer.boundingBox()
    const own = await log(page).getByText(contactForm.message).boundingBox()
    expect(box?.x).toBeLessThan(own?.x ?? 0)
  })

  test('does not mark replies as read in a hidden tab', async ({ page, staffPage }) => {
    const sessionId = await startChat(page)
    await asStaff(staffPage)
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const hidden = page.waitForRequest((request) => request.url().includes('/api/contact/messages'))
    await reply(staffPage, { sessionId, message: 'Are you there?' })
    expect((await hidden).url()).toContain('peek=true')
    await expect(log(page).getByText('Are you there?')).toBeVisible()
    const seen = page.waitForRequest((request) => request.url().includes('/api/contact/messages'))
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect((await seen).url()).not.toContain('peek')
  })

  test('continues in the mailed link, which ends the page that sent the form', async ({
    page,
    staffPage,
    browser,
    site,
    dataDir,
    database,
    complaints,
  }) => {
    const email = 'owner.of.the.address@example.com'
    const sessionId = await contact(page, { email })
    await page.goto(`/contact/chat?session=${sessionId}`)
    await asStaff(staffPage)
    // The page takes the reply for unread, as in a tab that is hidden.
    await page.route('**/api/contact/messages?**', (route) =>
      route.continue({ url: `${route.request().url()}&peek=true` }),
    )
    await reply(staffPage, { sessionId, message: 'Which shop is it from?' })
    await database.query("update jobs set run_at = now() where kind = 'replyMail' and done_at is null")
    const link = await mailedLink(dataDir, email, '/contact/chat', 'session')
    // What a mail scanner does.
    expect((await page.request.get(link)).status()).toBe(200)
    await expect(log(page).getByText('Which shop is it from?')).toBeVisible()

    const context = await browser.newContext({ baseURL: site })
    const owner = await context.newPage()
    await owner.goto(link)
    await expect(log(owner).getByText('Which shop is it from?')).toBeVisible()
    await expect(owner.getByText(link.slice(-8), { exact: true })).toBeVisible()
    await field(owner).fill('It is from the mall')
    await field(owner).press('Enter')
    await expect(page.getByText('This conversation has a new link')).toBeVisible()
    await expect(log(page)).toBeHidden()
    await expect(field(page)).toBeHidden()
    await page.goto(`/es/contact/chat?session=${sessionId}`)
    await expect(page.getByText('abra el enlace de nuestro último correo')).toBeVisible()
    await context.close()
    forgive(complaints, /404/)
  })

  test('polls every five seconds without the live channel', async ({ page, staffPage }) => {
    await page.clock.install()
    await page.routeWebSocket(/\/ws/, (socket) => socket.close({ code: 1000 }))
    const sessionId = await startChat(page)
    await stopTheClock(page)
    await asStaff(staffPage)
    await reply(staffPage, { sessionId, message: 'Good day' })
    const polled = page.waitForResponse((response) => response.url().includes('/api/contact/messages'))
    await skipTime(page, 5_000)
    expect(await (await polled).text()).toContain('Good day')
    await letItShow(page, 'Good day')
    await expect(page.getByText('Today')).toBeVisible()
    await page.clock.fastForward(24 * 60 * 60_000)
    await letItShow(page, 'Yesterday')
  })

  test('is accessible and fits a phone, light and dark', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await startChat(page)
    await field(page).fill(`${'long'.repeat(60)} https://example.com/${'x'.repeat(200)}`)
    await field(page).press('Enter')
    await expect(log(page).getByRole('listitem')).toHaveCount(2)
    // A message is faded until it is sent.
    await expect(log(page).getByText('Sending')).toHaveCount(0)
    await expectAccessibleInBothThemes(page)
  })
})

async function reply(staffPage: Page, body: { sessionId: string; message: string }): Promise<void> {
  const answer = await staffPage.request.post('/api/admin/contact/reply', { data: body })
  expect(answer.status()).toBe(201)
}
