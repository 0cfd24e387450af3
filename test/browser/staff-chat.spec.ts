import type { Page } from '@playwright/test'
import { contactForm } from '../chat.ts'
import { operator, passwordIn } from '../operator.ts'
import { expect, test } from './fixtures.ts'
import { asStaff, expectSound, expectToast, forgive, signedUp, submitCard } from './sellers.ts'

const list = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const rows = (page: Page) => list(page).getByRole('listitem')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
const conversation = (page: Page) => page.getByRole('region', { name: /^Conversation with/ })
const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const reply = (page: Page) => page.getByLabel('Reply', { exact: true })
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const bell = (page: Page) => page.getByRole('button', { name: /^Notices/ })
const TIME = /^[A-Z][a-z]{2} \d{1,2}, [012]\d:[0-5]\d$/
const LIVE = /\/ws/

async function say(page: Page, message: string): Promise<void> {
  const answer = await page.request.post('/api/chat/messages', { data: { message } })
  expect(answer.status()).toBe(201)
}

/** A visitor who has sent the contact form. */
async function contact(page: Page, form: Partial<typeof contactForm> = {}): Promise<string> {
  const answer = await page.request.post('/api/contact', { data: { ...contactForm, ...form } })
  expect(answer.status()).toBe(201)
  return (await answer.json()).sessionId
}

async function write(page: Page, text: string): Promise<void> {
  await reply(page).fill(text)
  await reply(page).press('Enter')
}

/** Goes to /admin/chat, live, and opens a conversation. */
async function open(staffPage: Page, name?: string): Promise<void> {
  await staffPage.goto('/admin/chat')
  await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
  if (!name) return
  await row(staffPage, name).getByRole('button').click()
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(name)
}

test('/admin/chat is for administrators, who come back to it after signing in', async ({ page }) => {
  await page.goto('/admin/chat')
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('nothing is selected at first, and the list says who wrote what, when', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await say(page, 'Where is my money?')
  await say(page, 'Are you there?')
  await contact(page, { firstName: 'Nora', lastName: seller.username, email: 'nora@example.com' })
  await asStaff(staffPage)
  await open(staffPage)
  await expect(staffPage.getByRole('heading', { level: 1, name: 'Chat Management' })).toBeVisible()
  await expect(staffPage.getByText('View and respond to user messages')).toBeVisible()
  await expect(staffPage.getByText('Select a Conversation', { exact: true })).toBeVisible()
  await expect(
    staffPage.getByText('Choose a conversation from the left to view and reply to messages'),
  ).toBeVisible()
  const sellers = row(staffPage, seller.email)
  await expect(sellers).toContainText(seller.username)
  await expect(sellers).toContainText('2 unread')
  await expect(sellers).toContainText('Are you there?')
  await expect(sellers.locator('time')).toHaveText(TIME)
  await expect(row(staffPage, 'nora@example.com')).toContainText(`Nora ${seller.username}`)

  const search = staffPage.getByPlaceholder('Search conversations...')
  await search.fill('NORA@EXAMPLE')
  await expect(rows(staffPage)).toHaveCount(1)
  await expect(list(staffPage).getByRole('heading', { name: 'Conversations 1' })).toBeVisible()
  await expect(rows(staffPage)).toContainText('nora@example.com')
  await search.fill(seller.username.toUpperCase())
  await expect(rows(staffPage)).toHaveCount(2)
  await search.fill('nobody at all')
  await expect(list(staffPage).getByText('No conversations found')).toBeVisible()
})

test('a seller and staff talk without a reload, each message on its side with its name and time', async ({
  page,
  staffPage,
}) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  await expect(conversation(staffPage).getByText(seller.email)).toBeVisible()
  await expect(row(staffPage, seller.username)).not.toContainText('unread')
  await page.goto('/')
  await page.getByRole('button', { name: /^Support chat/ }).click()
  const sellersLog = page.getByRole('dialog').getByRole('log')
  await expect(sellersLog.getByText('Hello?')).toBeVisible()

  await expect(reply(staffPage)).toBeFocused()
  await expect(reply(staffPage)).toHaveAttribute('placeholder', 'Type your reply...')
  await expect(staffPage.getByText('Press Enter to send, Shift+Enter for new line')).toBeVisible()
  await expect(sendButton(staffPage)).toBeDisabled()
  await write(staffPage, '   ')
  await expect(sendButton(staffPage)).toBeDisabled()
  await reply(staffPage).fill('')
  await reply(staffPage).pressSequentially('  One')
  await reply(staffPage).press('Shift+Enter')
  await reply(staffPage).pressSequentially('Two  ')
  await reply(staffPage).press('Enter')
  await expectToast(staffPage, 'Reply Sent', 'Your message has been sent successfully.')
  await expect(reply(staffPage)).toHaveValue('')
  await expect(sellersLog.getByText('One Two')).toBeVisible()

  const own = log(staffPage).getByRole('listitem').filter({ hasText: 'One' })
  const theirs = log(staffPage).getByRole('listitem').filter({ hasText: 'Hello?' })
  await expect(own.locator('p')).toHaveText('One\nTwo', { useInnerText: true })
  await expect(own.getByText('admin', { exact: true })).toBeVisible()
  await expect(theirs.getByText(seller.username, { exact: true })).toBeVisible()
  for (const message of [own, theirs]) await expect(message.locator('time')).toHaveText(TIME)
  const [right, left] = [await own.locator('p').boundingBox(), await theirs.locator('p').boundingBox()]
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0))

  await page.getByRole('dialog').getByLabel('Your message').fill('Thank you')
  await page.getByRole('dialog').getByLabel('Your message').press('Enter')
  await expect(log(staffPage).getByText('Thank you')).toBeVisible()
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: Thank you`)
  // It is in sight, and so it is read.
  await expect(row(staffPage, seller.username)).toContainText('Thank you')
  await expect(row(staffPage, seller.username)).not.toContainText('unread')
})

test('a visitor is answered in the thread of their session, which is marked as read', async ({
  page,
  staffPage,
}) => {
  const session = await contact(page, { firstName: 'Walt', subject: 'Half used' })
  await asStaff(staffPage)
  await open(staffPage)
  await expect(row(staffPage, 'Walt Visitor')).toContainText('1 unread')
  await row(staffPage, 'Walt Visitor').getByRole('button').click()
  await expect(conversation(staffPage).getByText('Subject: Half used', { exact: true })).toBeVisible()
  await expect(row(staffPage, 'Walt Visitor')).not.toContainText('unread')
  await page.goto(`/contact/chat?session=${session}`)
  await write(staffPage, 'Yes, we take those.')
  await expect(page.getByRole('log').getByText('Yes, we take those.')).toBeVisible()
  await staffPage.reload()
  await expect(log(staffPage).getByText('Yes, we take those.')).toBeVisible()
  await expect(row(staffPage, 'Walt Visitor')).not.toContainText('unread')
})

test('a reply that fails says why, stays, and is stored once', async ({ page, staffPage, complaints }) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const sent: { clientId: string }[] = []
  const failures = [
    { status: 409, contentType: 'application/json', body: '{"code":"x","message":"Not while it rains"}' },
    { status: 502, body: '<html>Bad gateway</html>' },
  ]
  await staffPage.route('**/api/admin/chat/reply', async (route) => {
    sent.push(route.request().postDataJSON())
    const failure = failures[sent.length - 1]
    if (failure) return route.fulfill(failure)
    // Stored, but the answer is lost on its way.
    await route.fetch()
    return sent.length === 3 ? route.abort() : route.continue()
  })
  await write(staffPage, 'Good day')
  await expectToast(staffPage, 'Error', 'Not while it rains')
  await expect(reply(staffPage)).toHaveValue('Good day')
  await sendButton(staffPage).click()
  await expectToast(staffPage, 'Error', 'Failed to send reply')
  await sendButton(staffPage).click()
  await expectToast(staffPage, 'Error', 'We could not be reached.')
  await staffPage.reload()
  await expect(reply(staffPage)).toHaveValue('Good day')
  await sendButton(staffPage).click()
  await expect(reply(staffPage)).toHaveValue('')
  await expect(log(staffPage).getByText('Good day')).toHaveCount(1)
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1)
  forgive(complaints, /net::ERR_FAILED|502/)
})

test('while a reply is on its way it can neither be sent again nor be changed', async ({
  page,
  staffPage,
}) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await contact(page, { firstName: 'Yves' })
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  let posts = 0
  await staffPage.route('**/api/admin/chat/reply', async (route) => {
    posts += 1
    await held
    await route.continue()
  })
  await write(staffPage, 'Once')
  await expect(sendButton(staffPage)).toBeDisabled()
  await reply(staffPage).press('Enter')
  await reply(staffPage).pressSequentially('more')
  await expect(reply(staffPage)).toHaveValue('Once')
  // Not from elsewhere and back either.
  await row(staffPage, 'Yves').getByRole('button').click()
  await expect(reply(staffPage)).toHaveValue('')
  await row(staffPage, seller.username).getByRole('button').click()
  await reply(staffPage).press('Enter')
  go()
  await expect(log(staffPage).getByText('Once')).toHaveCount(1)
  await expect(reply(staffPage)).toHaveValue('')
  expect(posts).toBe(1)
})

test('drafts are kept for each conversation until somebody signs out', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await contact(page, { firstName: 'Zora' })
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  await reply(staffPage).fill('To the seller')
  await row(staffPage, 'Zora').getByRole('button').click()
  await expect(reply(staffPage)).toHaveValue('')
  await reply(staffPage).fill('To Zora')
  await expect(row(staffPage, seller.username)).toContainText('Draft: To the seller')
  await staffPage.goto('/admin')
  await open(staffPage, seller.username)
  await expect(reply(staffPage)).toHaveValue('To the seller')
  await staffPage.getByRole('button', { name: 'Logout' }).click()
  await expect(staffPage).toHaveURL(/\/admin\/login/)
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  await expect(reply(staffPage)).toHaveValue('')
})

test('saved replies are added, found by typing, put where the caret is, changed and deleted', async ({
  page,
  staffPage,
}) => {
  const seller = await signedUp(page)
  await say(page, 'When will I be paid?')
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const trigger = staffPage.getByRole('button', { name: 'Saved replies' })
  const find = staffPage.getByLabel('Find a saved reply')
  const manager = staffPage.getByRole('dialog', { name: 'Saved replies' })
  const manage = async () => {
    await trigger.click()
    await staffPage.getByRole('button', { name: 'Manage saved replies' }).click()
  }
  await trigger.click()
  await expect(staffPage.getByText('There are none yet')).toBeVisible()
  await expect(find).toBeFocused()
  await staffPage.keyboard.press('Escape')
  await reply(staffPage).fill('Within 3 business days.')
  await manage()
  await manager.getByRole('button', { name: 'Add a saved reply' }).click()
  // What was written is what one wants to save.
  await expect(manager.getByLabel('Text')).toHaveValue('Within 3 business days.')
  await manager.getByRole('button', { name: 'Save' }).click()
  await expect(manager.getByText('Title is required')).toBeVisible()
  await manager.getByLabel('Title').fill('Payout <b>times</b>')
  await manager.getByRole('button', { name: 'Save' }).click()
  await manager.getByRole('button', { name: 'Add a saved reply' }).click()
  await manager.getByLabel('Title').fill('Greeting')
  await manager.getByLabel('Text').fill('Good day! ')
  await manager.getByRole('button', { name: 'Save' }).click()
  await expect(manager.getByRole('listitem')).toHaveCount(2)
  await manager.getByRole('button', { name: 'Close' }).click()
  await expect(log(staffPage).getByRole('listitem')).toHaveCount(1)

  await reply(staffPage).fill('Hello. Bye.')
  for (let key = 0; key < 4; key += 1) await reply(staffPage).press('ArrowLeft')
  await trigger.click()
  await find.fill('business TIMES')
  await expect(staffPage.getByRole('option')).toHaveCount(1)
  await find.press('Enter')
  await expect(reply(staffPage)).toHaveValue('Hello. Within 3 business days.Bye.')
  await expect(reply(staffPage)).toBeFocused()

  await manage()
  await manager.getByRole('button', { name: 'Edit Greeting' }).click()
  await manager.getByLabel('Text').fill('Good morning!')
  await manager.getByRole('button', { name: 'Save' }).click()
  await expect(manager.getByText('Good morning!')).toBeVisible()
  await manager.getByRole('button', { name: 'Delete Greeting' }).click()
  await manager.getByRole('button', { name: 'Delete for everybody' }).click()
  await expect(manager.getByRole('listitem')).toHaveCount(1)
  await expect(manager.getByText('Payout <b>times</b>')).toBeVisible()
  await manager.getByRole('button', { name: 'Delete Payout' }).click()
  await manager.getByRole('button', { name: 'Delete for everybody' }).click()
  await expect(manager.getByText('There are none yet')).toBeVisible()
})

test('nothing is polled while the channel is open, and both lists are while it is down', async ({
  page,
  staffPage,
  complaints,
}) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await asStaff(staffPage)
  let up = true
  await staffPage.routeWebSocket(LIVE, (socket) =>
    up ? socket.connectToServer() : socket.close({ code: 1011 }),
  )
  await staffPage.clock.install()
  await open(staffPage, seller.username)
  await expect(row(staffPage, seller.username)).not.toContainText('unread')
  await expect(log(staffPage).getByText('Hello?')).toBeVisible()
  const looks = { threads: 0, messages: 0 }
  staffPage.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    // The list, not the one conversation that is open, nor the bell.
    if (pathname === '/api/admin/chat/threads' && searchParams.size === 0) looks.threads += 1
    if (pathname === '/api/admin/chat/messages') looks.messages += 1
  })
  await staffPage.clock.runFor(20_000)
  expect(looks).toEqual({ threads: 0, messages: 0 })

  up = false
  await staffPage.reload()
  await expect(staffPage.getByText('Offline', { exact: true })).toBeVisible()
  await expect(log(staffPage).getByText('Hello?')).toBeVisible()
  await say(page, 'Found by looking')
  await staffPage.clock.runFor(2100)
  await expect(log(staffPage).getByText('Found by looking')).toBeVisible()
  await staffPage.clock.runFor(5100)
  await expect(row(staffPage, seller.username)).toContainText('Found by looking')
  forgive(complaints, /WebSocket/)
})

test('earlier messages come when one scrolls up, and what is read stays in place', async ({
  page,
  staffPage,
}) => {
  const seller = await signedUp(page)
  for (let message = 1; message <= 230; message += 1) await say(page, `Message ${message} of many`)
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const last = log(staffPage).getByText('Message 230 of many')
  await expect(last).toBeInViewport()
  await expect(log(staffPage).getByRole('listitem')).toHaveCount(200)
  const oldest = log(staffPage).getByText('Message 31 of many')
  await log(staffPage).press('Home')
  await expect(log(staffPage).getByRole('listitem')).toHaveCount(230)
  await expect(oldest).toBeInViewport()
  await log(staffPage).press('Home')
  await expect(log(staffPage).getByText('Message 1 of many')).toBeInViewport()
  // What arrives doesn't pull away whoever reads what was said before; one press leads there.
  await say(page, 'And one more')
  await expect(log(staffPage).getByText('And one more')).toBeAttached()
  await expect(log(staffPage).getByText('Message 1 of many')).toBeInViewport()
  await staffPage.getByRole('button', { name: 'Newest messages' }).click()
  await expect(log(staffPage).getByText('And one more')).toBeInViewport()
  await expect(staffPage.getByRole('button', { name: 'Newest messages' })).toHaveCount(0)
})

test('two administrators see who answers, what the other replied and read', async ({
  page,
  staffPage,
  browser,
  site,
  dataDir,
}) => {
  const password = passwordIn((await operator(dataDir, 'create', 'ana')).stdout)
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await asStaff(staffPage)
  await open(staffPage)
  await expect(row(staffPage, seller.username)).toContainText('1 unread')
  const context = await browser.newContext({ baseURL: site, viewport: { width: 1440, height: 900 } })
  const other = await context.newPage()
  await other.request.post('/api/admin/login', { data: { username: 'ana', password } })
  await open(other, seller.username)
  await expect(row(staffPage, seller.username)).not.toContainText('unread')
  await reply(other).pressSequentially('Let me')
  await expect(row(staffPage, seller.username)).toContainText('ana is answering')
  await row(staffPage, seller.username).getByRole('button').click()
  await expect(conversation(staffPage).getByRole('status').getByText('ana is answering')).toBeVisible()
  await expect(conversation(other).getByText('is answering')).toHaveCount(0)
  await reply(other).press('Enter')
  await expect(log(staffPage).getByText('Let me')).toBeVisible()
  await expect(log(staffPage).getByText('ana', { exact: true })).toBeVisible()
  await expect(conversation(staffPage).getByText('ana is answering')).toHaveCount(0)
  await context.close()
})

test('hostile text is text, and fits', async ({ page, staffPage }) => {
  const html = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
  await contact(page, { firstName: '<b>Mallory', lastName: '‮gnp', subject: html, message: html })
  const session = await contact(page, { firstName: 'أحمد', lastName: 'W'.repeat(100) })
  const send = (message: string) =>
    page.request.post('/api/contact/message', { data: { sessionId: session, message } })
  expect((await send('M'.repeat(4000))).status()).toBe(201)
  expect((await send('مرحبا بالعالم (1)')).status()).toBe(201)
  await asStaff(staffPage)
  await open(staffPage)
  await row(staffPage, 'Mallory').getByRole('button').click()
  await expect(log(staffPage).getByText('<script>alert(1)</script>').first()).toBeVisible()
  await expect(staffPage.getByRole('img', { name: 'x' })).toHaveCount(0)
  await row(staffPage, 'أحمد').getByRole('button').click()
  await expect(log(staffPage).getByText('مرحبا بالعالم (1)')).toBeInViewport()
  await expectSound(staffPage)
  await staffPage.setViewportSize({ width: 360, height: 740 })
  await expectSound(staffPage)
  // On a phone it is one of the two: Back leads from the conversation to the list.
  await expect(list(staffPage)).toBeHidden()
  await staffPage.getByRole('button', { name: 'Back to the conversations' }).click()
  await expect(row(staffPage, 'Mallory')).toBeVisible()
  await row(staffPage, 'Mallory').getByRole('button').click()
  await reply(staffPage).fill('x'.repeat(4001))
  await expect(staffPage.getByText('1 too many (at most 4,000 characters)')).toBeInViewport({ ratio: 1 })
  await expect(sendButton(staffPage)).toBeDisabled()
  await expect(sendButton(staffPage), 'is not pushed away by a word of 4,001 letters').toBeInViewport({
    ratio: 1,
  })
  await reply(staffPage).fill('x'.repeat(4000))
  await sendButton(staffPage).click()
  await expect(reply(staffPage)).toHaveValue('')
  expect(await staffPage.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

test('a link opens a conversation that the list does not show, or one with a seller who never wrote', async ({
  page,
  staffPage,
}) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await staffPage.goto(`/admin/chat?user=${seller.id}&q=nobody`)
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(seller.username)
  await expect(log(staffPage).getByText('No messages in this conversation')).toBeVisible()
  await write(staffPage, 'We have a question about your card')
  await expect(log(staffPage).getByText('We have a question about your card')).toBeVisible()
  await expect(list(staffPage).getByText('No conversations found')).toBeVisible()
  for (const address of ['thread=01890000-0000-7000-8000-000000000000', 'thread=x', 'user=x']) {
    await staffPage.goto(`/admin/chat?${address}`)
    await expect(staffPage.getByText('There is no such conversation.')).toBeVisible()
  }
})

test('the bell keeps what one toast at a time would lose, and the tab counts it', async ({
  page,
  staffPage,
}) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await staffPage.goto('/admin?tab=users')
  await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
  // Whatever else there is from before.
  await say(page, 'Before')
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: Before`)
  await expect(bell(staffPage)).toHaveAccessibleName(/^Notices, \d+ unread$/)
  await bell(staffPage).click()
  await staffPage.getByRole('button', { name: 'Mark all as read' }).click()
  await staffPage.keyboard.press('Escape')
  await expect(bell(staffPage)).toHaveAccessibleName('Notices')
  await expect(staffPage).toHaveTitle('Users · Unspent')

  const long = 'A message that is longer than fifty characters, by a good many words'
  await say(page, 'First')
  await say(page, long)
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: ${long.slice(0, 50)}...`)
  const id = await submitCard(page)
  await expectToast(staffPage, 'New Submission', `Amazon from ${seller.username}`)
  await expect(
    staffPage.getByRole('region', { name: /^Notifications/ }).getByRole('listitem'),
    'one toast at a time',
  ).toHaveCount(1)
  await expect(bell(staffPage)).toHaveAccessibleName('Notices, 2 unread')
  await expect(staffPage).toHaveTitle('(2) Users · Unspent')
  await staffPage.reload()
  await expect(bell(staffPage)).toHaveAccessibleName('Notices, 2 unread')

  await bell(staffPage).click()
  const notices = staffPage.getByRole('dialog', { name: 'Notices' }).getByRole('listitem')
  await expect(notices.first()).toContainText(`Unread: New Submission${seller.username}: Amazon, $100.00`)
  await expect(notices.nth(1)).toContainText('3 New Chat Messages')
  await notices.first().getByRole('link').click()
  await expect(staffPage).toHaveURL(new RegExp(`/admin\\?id=${id}`))
  await expect(bell(staffPage)).toHaveAccessibleName('Notices, 1 unread')
  await bell(staffPage).click()
  await notices.nth(1).getByRole('link').click()
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(seller.username)
  await expect(bell(staffPage)).toHaveAccessibleName('Notices')
  await expect(staffPage).toHaveTitle('Chat Management · Unspent')
})

test('a sound is off until switched on, and then is made by the page itself', async ({ page, staffPage }) => {
  await staffPage.addInitScript(() => {
    const counting = window as unknown as { notes: number }
    counting.notes = 0
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (when) {
      counting.notes += 1
      start.call(this, when)
    }
  })
  const notes = () => staffPage.evaluate(() => (window as unknown as { notes: number }).notes)
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await open(staffPage)
  await bell(staffPage).click()
  const sound = staffPage.getByRole('checkbox', { name: 'Play a sound' })
  await expect(sound).not.toBeChecked()
  await say(page, 'Quiet')
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: Quiet`)
  expect(await notes()).toBe(0)
  await sound.check()
  await expect.poll(notes).toBe(2)
  await staffPage.reload()
  await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
  await list(staffPage).getByRole('heading').click()
  await say(page, 'Loud')
  await expect.poll(notes).toBe(2)
  await bell(staffPage).click()
  await sound.uncheck()
  await say(page, 'Quiet again')
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: Quiet again`)
  expect(await notes()).toBe(2)
})
