import type { Locator, Page } from '@playwright/test'
import { skipTime } from './clock.ts'
import { openSubmission } from './desk.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './looks.ts'
import { asStaff, expectToast, forgive, signedUp, submitCard, watchChannel } from './sellers.ts'
import { files, small } from './selling.ts'

const opener = (page: Page) => page.getByRole('button', { name: /^Support Chat/ })
const chat = (page: Page) => page.getByRole('dialog', { name: 'Support Chat' })
const field = (page: Page) => chat(page).getByLabel('Your message')
const about = (part: Locator) => part.locator('p', { hasText: 'About:' })
const log = (page: Page) => chat(page).getByRole('log')

async function say(page: Page, text: string) {
  await field(page).fill(text)
  await field(page).press('Enter')
}

/** Playwright keeps every tab visible, so this overrides what the page sees. */
async function showTab(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

async function reply(staffPage: Page, userId: string, message: string) {
  const answer = await staffPage.request.post('/api/admin/chat/reply', { data: { userId, message } })
  expect(answer.status()).toBe(201)
}

test('a seller can write from any page and sees replies without a reload', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await page.goto('/')
  await opener(page).click()
  await expect(field(page)).toBeFocused()
  await expect(chat(page).getByText('How can we help?')).toBeVisible()
  await say(page, '   ')
  await expect(log(page).getByRole('listitem')).toHaveCount(0)
  await field(page).pressSequentially('First line')
  await field(page).press('Shift+Enter')
  await field(page).pressSequentially('second line')
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('')
  await expect(log(page).getByText('First line second line')).toBeVisible()
  const received = chat(page).getByText('Your message has been received.')
  await expect(received).toBeVisible()
  await expect(received).toContainText(
    /A person (usually answers within 2-5 minutes|answers (today|tomorrow|on \w+) from \d+ [AP]M( your time)?)\.$/,
  )
  await expect(log(page).locator('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{2}:\d{2}$/)
  await reply(staffPage, seller.id, 'How can I help, Sally?')
  await expect(log(page).getByText('How can I help, Sally?')).toBeVisible()
  await expect(log(page).getByText('Support agent')).toBeVisible()
  await expect(received).toHaveCount(0)
  await say(page, 'With a card')
  await expect(received).toBeVisible()
})

test('unread replies are counted until the chat is opened', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  const channel = await watchChannel(page)
  await page.goto('/transactions')
  await expect(opener(page)).toHaveText('Support Chat')
  // Replies from before the channel opened are counted without a toast.
  await channel.open
  await reply(staffPage, seller.id, 'We have a question about your card, and it is a rather long one.')
  await expectToast(page, 'New Chat Message', 'We have a question about your card, and it is a ra...')
  await reply(staffPage, seller.id, 'Are you there?')
  await expect(opener(page)).toHaveAccessibleName('Support Chat 2 unread')
  await opener(page).click()
  await expect(log(page).getByText('Are you there?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat(page)).toHaveCount(0)
  await expect(opener(page)).toBeFocused()
  await page.reload()
  await expect(opener(page)).toHaveText('Support Chat')
})

test('an emailed link opens the chat, even if it needs a sign-in', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await reply(staffPage, seller.id, 'Please see your mail')
  await page.goto('/processing?chat=open')
  await expect(log(page).getByText('Please see your mail')).toBeVisible()
  await expect(page).toHaveURL(/\/processing$/)
  await page.context().clearCookies()
  await page.goto('/processing?chat=open')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(seller.email)
  await page.getByLabel('Password').fill(seller.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(log(page).getByText('Please see your mail')).toBeVisible()
  await expect(page).toHaveURL(/\/processing$/)
})

test('a seller asks about a card, and staff write about another one', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  const [card, other] = [
    await submitCard(page),
    await submitCard(page, { brand: 'target', sellingPrice: '91.00' }),
  ]
  await page.goto(`/account/card?id=${card}`)
  await page.getByRole('link', { name: 'Ask about this card' }).click()
  await expect(page).toHaveURL(`/account/card?id=${card}`)
  await expect(about(chat(page))).toHaveText(/^About: Amazon \$100\.00 ••••\s5678$/)
  await say(page, 'When am I paid?')
  await expect(log(page).locator('time')).toHaveCount(1)

  await asStaff(staffPage)
  await staffPage.goto(`/admin/chat?user=${seller.id}`)
  const desk = about(staffPage.getByRole('region', { name: /^Conversation with/ }))
  await expect(desk).toHaveText(/^About:Amazon \$100\.00••••\s5678Pending$/)
  await desk.getByRole('link').click()
  await expect(staffPage).toHaveURL(`/admin?id=${card}`)
  await expect(openSubmission(staffPage).getByRole('heading', { name: /Amazon/ })).toBeVisible()

  await staffPage.goto(`/admin?id=${other}`)
  await openSubmission(staffPage).getByRole('link', { name: 'Message', exact: true }).click()
  await expect(desk).toContainText('Target')
  await expect(about(chat(page))).toContainText('Amazon')
  await staffPage.getByLabel('Reply', { exact: true }).fill('Which shop is this one from?')
  await staffPage.keyboard.press('Enter')
  await expect(about(chat(page))).toContainText('Target')
  await expect(desk).toContainText('Target')

  await chat(page).getByRole('button', { name: 'Not about this card' }).click()
  await expect(about(chat(page))).toHaveCount(0)
  await say(page, 'Another question')
  await expect(desk).toHaveCount(0)
  await page.goto('/transactions')
  await opener(page).click()
  await expect(log(page).getByText('Another question')).toBeVisible()
  await expect(about(chat(page))).toHaveCount(0)

  // Opened on a card's page, it is about that card.
  await page.goto(`/account/card?id=${other}`)
  await opener(page).click()
  await expect(about(chat(page))).toContainText('Target')
})

test('a seller sends photos, and staff look at them and answer with one', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await page.goto('/')
  await opener(page).click()
  const send = chat(page).getByRole('button', { name: 'Send' })
  await expect(send).toBeDisabled()
  const chooser = page.waitForEvent('filechooser')
  await chat(page).getByRole('button', { name: 'Choose photos' }).click()
  await (await chooser).setFiles(await files(4))
  await expect(
    chat(page).getByText('No more than 3 photos can be added. One more was left out.'),
  ).toBeVisible()
  await chat(page).getByRole('button', { name: 'Remove Photo 3' }).click()
  await expect(chat(page).getByRole('img')).toHaveCount(2)
  await send.click()
  await expect(chat(page).getByRole('button', { name: /^Remove Photo/ })).toHaveCount(0)
  await expect(log(page).locator('time')).toHaveCount(1)
  await log(page).getByRole('button', { name: 'Open photo 2' }).click()
  const large = page.getByRole('dialog', { name: 'Photo' }).getByRole('img')
  await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  await page.keyboard.press('Escape')

  await staffPage.goto('/admin/chat')
  await expect(staffPage.getByRole('listitem').filter({ hasText: seller.email })).toContainText('Photo')
  await staffPage.goto(`/admin/chat?user=${seller.id}`)
  const messages = staffPage.getByRole('log', { name: 'Messages' })
  await messages.getByRole('button', { name: 'Open photo 1' }).click()
  const viewer = staffPage.getByRole('dialog', { name: 'Photos of the message' })
  await expect(viewer.getByRole('img', { name: 'Number 1 of the message' })).toBeVisible()
  await viewer.getByRole('button', { name: 'Next photo' }).click()
  await expect(viewer.getByText('2 of 2')).toBeVisible()
  await staffPage.keyboard.press('Escape')
  await expectAccessible(staffPage)
  const answer = staffPage.waitForEvent('filechooser')
  await staffPage.getByRole('button', { name: 'Choose photos' }).click()
  await (await answer).setFiles(await files(1))
  await staffPage.getByLabel('Reply', { exact: true }).fill('Please photograph it like this')
  await staffPage.getByRole('button', { name: 'Send', exact: true }).click()
  await expectToast(staffPage, 'Reply Sent')
  await expect(messages.getByRole('button', { name: /^Open photo/ })).toHaveCount(3)
  const theirs = log(page).getByRole('listitem').filter({ hasText: 'Please photograph it like this' })
  await expect(theirs.getByRole('button', { name: 'Open photo 1' })).toBeVisible()
  await expectAccessible(page)
})

test('a photo that fails to upload keeps its text, says why, and is sent again', async ({
  page,
  complaints,
}) => {
  await signedUp(page)
  await page.goto('/')
  await opener(page).click()
  let tries = 0
  await page.route('**/api/chat/messages', (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    tries += 1
    return tries === 1 ? route.abort() : route.continue()
  })
  await page.locator('input[type=file]').setInputFiles(await files(1))
  await expect(chat(page).getByRole('button', { name: 'Remove Photo 1' })).toBeVisible()
  await say(page, 'Here it is')
  await expectToast(page, 'Error', 'Failed to send message. Please try again.')
  await chat(page).getByRole('button', { name: 'Close' }).click()
  await opener(page).click()
  const failed = log(page).getByRole('listitem').filter({ hasText: 'Here it is' })
  await expect(failed.getByRole('img')).toBeVisible()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed.getByRole('button', { name: 'Open photo 1' })).toBeVisible()
  await page.locator('input[type=file]').setInputFiles({
    name: 'broken.jpg',
    mimeType: 'image/jpeg',
    buffer: (await small()).subarray(0, 200),
  })
  await expect(chat(page).getByRole('button', { name: 'Remove Photo 1' })).toBeVisible()
  await chat(page).getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/could not be read|cannot be read|damaged/).first()).toBeVisible()
  forgive(complaints, /ERR_FAILED|415/)
})

test("a link with another seller's card asks about no card", async ({ page, complaints }) => {
  await signedUp(page)
  await page.goto('/account?chat=01990000-0000-7000-8000-000000000000')
  await say(page, 'Hello')
  await expect(log(page).locator('time')).toHaveCount(1)
  await expect(about(chat(page))).toHaveCount(0)
  forgive(complaints, /404/)
})

test('replies are marked as read only in a visible tab', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  const marked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/chat/mark-read')) marked.push(request.method())
  })
  await page.goto('/transactions')
  await opener(page).click()
  await expect(chat(page).getByText('How can we help?')).toBeVisible()
  await showTab(page, 'hidden')
  for (const text of ['Are you there?', 'We have a question.']) {
    await reply(staffPage, seller.id, text)
    await expect(log(page).getByText(text)).toBeVisible()
  }
  expect(marked).toEqual([])
  await showTab(page, 'visible')
  await expect.poll(() => marked).toEqual(['POST'])
})

test('a failed message is marked, survives closing, and is sent once', async ({ page, complaints }) => {
  await signedUp(page)
  await page.goto('/transactions')
  await opener(page).click()
  const sent: { message: string; clientId: string }[] = []
  await page.route('**/api/chat/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.push(route.request().postDataJSON())
    return [1, 4].includes(sent.length) ? route.abort() : route.continue()
  })
  await say(page, 'Is anybody there?')
  await expectToast(page, 'Error', 'Failed to send message. Please try again.')
  await say(page, 'Second message')
  await expect(log(page).locator('time')).toHaveCount(1)
  await expect(chat(page).getByText('Not sent')).toBeVisible()
  await chat(page).getByRole('button', { name: 'Close' }).click()
  await opener(page).click()
  await chat(page).getByRole('button', { name: 'Try again' }).click()
  await expect(chat(page).getByText('Not sent')).toHaveCount(0)
  await expect(log(page).locator('time')).toHaveCount(2)
  expect(sent.map(({ message }) => message)).toEqual([
    'Is anybody there?',
    'Second message',
    'Is anybody there?',
  ])
  // The same id tells the server that it is the same message.
  expect(sent[2]?.clientId).toBe(sent[0]?.clientId)
  await say(page, 'On a train')
  await expect(chat(page).getByText('Not sent')).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(log(page).locator('time')).toHaveCount(3)
  forgive(complaints, /net::ERR_FAILED/)
})

test('asks before sending what looks like a card number', async ({ page }) => {
  await signedUp(page)
  await page.goto('/processing')
  await opener(page).click()
  await say(page, 'It is 6006 4930 1234 5678')
  await expect(chat(page).getByText('This looks like a card number')).toBeVisible()
  await expect(log(page).getByRole('listitem')).toHaveCount(0)
  await chat(page).getByRole('button', { name: 'Edit message' }).click()
  await expect(field(page)).toBeFocused()
  await say(page, 'It ends in 5678')
  await expect(log(page).getByText('It ends in 5678')).toBeVisible()
  await say(page, 'Order 1234567890123 it is')
  await chat(page).getByRole('button', { name: 'Send anyway' }).click()
  await expect(log(page).getByText('Order 1234567890123 it is')).toBeVisible()
})

test('polls for replies without the live channel', async ({ page, staffPage, complaints }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await page.clock.install()
  await page.routeWebSocket(/\/ws/, (socket) => socket.close({ code: 1011 }))
  await page.goto('/transactions')
  await opener(page).click()
  await expect(chat(page).getByText('How can we help?')).toBeVisible()
  await reply(staffPage, seller.id, 'Found by looking')
  await skipTime(page, 5_000)
  await expect(log(page).getByText('Found by looking')).toBeVisible()
  forgive(complaints, /WebSocket/)
})

test('a toast does not cover the close button on a phone', async ({ page, complaints }) => {
  await signedUp(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/transactions')
  await opener(page).click()
  await page.route('**/api/chat/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await say(page, 'Is anybody there?')
  await expectToast(page, 'Error', 'Failed to send message. Please try again.')
  const close = chat(page).getByRole('button', { name: 'Close' })
  const [toast, button] = await Promise.all([
    page
      .getByRole('region', { name: /Notifications/, includeHidden: true })
      .getByRole('listitem', { includeHidden: true })
      .boundingBox(),
    close.boundingBox(),
  ])
  expect(toast?.y).toBeGreaterThanOrEqual((button?.y ?? 999) + (button?.height ?? 0))
  await close.click()
  await expect(chat(page)).toHaveCount(0)
  forgive(complaints, /net::ERR_FAILED/)
})

test('is a sheet on a phone, where its button covers nothing', async ({ page }) => {
  await signedUp(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/transactions')
  await expect(opener(page)).toBeVisible()
  const bar = await page.getByRole('banner').boundingBox()
  const button = await opener(page).boundingBox()
  expect((button?.y ?? 999) + (button?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0))
  expect(button?.width).toBeGreaterThanOrEqual(44)
  await opener(page).click()
  await expect.poll(async () => (await chat(page).boundingBox())?.width).toBe(360)
  await expect(page.getByRole('heading', { name: 'Transaction History' })).toHaveCount(0)
})

test('visitors do not have the button', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  await expect(opener(page)).toHaveCount(0)
})
