import {
  contact,
  conversation,
  list,
  log,
  open,
  reply,
  row,
  rows,
  say,
  sendButton,
  write,
} from './chat-desk.ts'
import { expect, test } from './desk.ts'
import { expectAccessible, expectNoEmptyButton } from './looks.ts'
import { asStaff, expectToast, pressInToast, signedUp } from './sellers.ts'
import { screens } from './staff-people.ts'

const TIME = /^[A-Z][a-z]{2} \d{1,2}, [012]\d:[0-5]\d$/

test('/admin/chat asks to sign in and opens afterwards', async ({ page }) => {
  await page.goto('/admin/chat')
  await expect(page).toHaveURL(/\/admin\/login$/)
})

test('selects nothing at first and lists who wrote what and when', async ({ page, staffPage }) => {
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
  await expect(sellers.locator('time')).toHaveText([TIME, /^(now|\d+ min)$/])
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
  await expect(list(staffPage).getByText('The search does not read messages.')).toBeVisible()
  await staffPage.goto('/admin/chat?show=snoozed')
  await expect(list(staffPage).getByText('No conversations found')).toBeVisible()
})

test('shows the messages of a seller and staff live, each on its side with name and time', async ({
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
  await page.getByRole('button', { name: /^Support Chat/ }).click()
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
  await expect(sellersLog.getByText('A support agent is writing...')).toBeVisible()
  await reply(staffPage).press('Enter')
  await expectToast(staffPage, 'Reply Sent', 'Your message has been sent successfully.')
  await expect(reply(staffPage)).toHaveValue('')
  await expect(sellersLog.getByText('One Two')).toBeVisible()
  await expect(sellersLog.getByText('A support agent is writing...')).toHaveCount(0)
  await expect(log(staffPage).getByText('Seen')).toBeVisible()

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
  // In sight, so it counts as read.
  await expect(row(staffPage, seller.username)).toContainText('Thank you')
  await expect(row(staffPage, seller.username)).not.toContainText('unread')
})

test('answers a visitor in the thread of their session and marks it as read', async ({ page, staffPage }) => {
  const session = await contact(page, { firstName: 'Walt', subject: 'Half used' })
  await asStaff(staffPage)
  await open(staffPage)
  await expect(row(staffPage, 'Walt Visitor')).toContainText('1 unread')
  await row(staffPage, 'Walt Visitor').getByRole('button').click()
  await expect(conversation(staffPage).getByText('Subject: Half used', { exact: true })).toBeVisible()
  await expect(row(staffPage, 'Walt Visitor')).not.toContainText('unread')
  await reply(staffPage).press('Escape')
  await staffPage.keyboard.press('u')
  await expect(row(staffPage, 'Walt Visitor')).toContainText('1 unread')
  await expect(conversation(staffPage)).toHaveCount(0)
  // The one that waits longest may be of another test.
  await staffPage.keyboard.press('n')
  await expect(conversation(staffPage)).toBeVisible()
  // What is typed next is a reply, not keys.
  await expect(reply(staffPage)).toBeFocused()
  // Its row may have been scrolled out of the list.
  await open(staffPage)
  await row(staffPage, 'Walt Visitor').getByRole('button').click()
  await expect(staffPage.getByRole('complementary', { name: 'About Walt Visitor' })).toContainText(
    session.slice(-8),
  )
  await page.goto(`/contact/chat?session=${session}`)
  await write(staffPage, 'Yes, we take those.')
  await expect(page.getByRole('log').getByText('Yes, we take those.')).toBeVisible()
  await staffPage.reload()
  await expect(log(staffPage).getByText('Yes, we take those.')).toBeVisible()
  await expect(row(staffPage, 'Walt Visitor')).not.toContainText('unread')
})

test('every button shows something at every width', async ({ page, staffPage }) => {
  await contact(page, { firstName: 'Bea' })
  await asStaff(staffPage)
  await open(staffPage)
  await row(staffPage, 'Bea Visitor').getByRole('button').click()
  for (const width of [360, 768, 1280, 1440, 1680]) {
    await staffPage.setViewportSize({ width, height: 800 })
    await expect(staffPage.getByRole('button', { name: 'Assign to a colleague' })).toBeVisible()
    await expectNoEmptyButton(staffPage)
  }
  for (const path of ['/admin', '/admin/payouts', '/admin/brands', '/admin/audit']) {
    await staffPage.goto(path)
    await expect(staffPage.getByRole('button', { name: 'Logout' })).toBeVisible()
    await staffPage.waitForLoadState('networkidle')
    await expectNoEmptyButton(staffPage)
  }
})

test('counts who waits for a reply, also if somebody has read the message', async ({ page, staffPage }) => {
  await contact(page, { firstName: 'Ivy' })
  await asStaff(staffPage)
  const waiting = async (): Promise<number> =>
    (await (await staffPage.request.get('/api/admin/chat/counts')).json()).waiting
  await open(staffPage)
  await row(staffPage, 'Ivy Visitor').getByRole('button').click()
  await expect(row(staffPage, 'Ivy Visitor')).not.toContainText('unread')
  const chat = screens(staffPage).getByRole('link', { name: /^Chat/ })
  const before = await waiting()
  await expect(chat).toHaveAccessibleName(`Chat , ${before} waiting for a reply`)
  await write(staffPage, 'Hello Ivy')
  await expect.poll(waiting).toBe(before - 1)
})

test('shows hostile text as plain text that fits', async ({ page, staffPage }) => {
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
  await expectAccessible(staffPage)
  await staffPage.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(staffPage)
  // A phone shows the list or the conversation. Back returns to the list.
  await expect(list(staffPage)).toBeHidden()
  await staffPage.getByRole('button', { name: 'Back to the conversations' }).click()
  await expect(row(staffPage, 'Mallory')).toBeVisible()
  await row(staffPage, 'Mallory').getByRole('button').click()
  await reply(staffPage).fill('x'.repeat(4001))
  await expect(staffPage.getByText('1 over the limit of 4,000 characters')).toBeInViewport({ ratio: 1 })
  await expect(sendButton(staffPage)).toBeDisabled()
  await expect(sendButton(staffPage), 'is not pushed away by a word of 4,001 letters').toBeInViewport({
    ratio: 1,
  })
  await reply(staffPage).fill('x'.repeat(4000))
  await sendButton(staffPage).click()
  await expect(reply(staffPage)).toHaveValue('')
  expect(await staffPage.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

test('assigns, snoozes and closes conversations by keys, and a message opens them again', async ({
  page,
  staffPage,
  ana,
}) => {
  const seller = await signedUp(page)
  // The seller has waited longest, so that conversation comes first.
  await say(page, 'Is my card paid?')
  await contact(page, { firstName: 'Zoe', lastName: seller.username })
  await asStaff(staffPage)
  for (const desk of [ana, staffPage]) await desk.goto(`/admin/chat?q=${seller.username}`)
  await expect(rows(staffPage)).toHaveCount(2)
  await staffPage.keyboard.press('j')
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(seller.username)
  await expect(staffPage.getByRole('region', { name: 'Cards of this seller' })).toContainText(
    'This seller has not submitted a card.',
  )
  await staffPage.keyboard.press('a')
  await expect(conversation(staffPage).getByText('Assigned to you')).toBeVisible()
  await expect(row(ana, seller.email)).toContainText('Assigned to admin')
  await staffPage.getByRole('button', { name: 'Assign to a colleague' }).click()
  await staffPage.getByRole('menuitem', { name: 'ana' }).press('Enter')
  await expect(conversation(staffPage).getByText('Assigned to ana')).toBeVisible()
  await expectToast(ana, 'Assigned to You', `${seller.username}, by admin`)
  await ana.getByRole('button', { name: /^Notifications, / }).click()
  await ana
    .getByRole('link', { name: /Assigned to You/ })
    .first()
    .click()
  await expect(conversation(ana).getByRole('heading')).toHaveText(seller.username)
  await ana.goto(`/admin/chat?q=${seller.username}`)

  await staffPage.keyboard.press('z')
  await expect(staffPage.getByRole('menuitem', { name: 'In 1 hour' })).toBeFocused()
  await staffPage.keyboard.press('Enter')
  await expectToast(staffPage, 'Conversation Snoozed', new RegExp(`${seller.username}, until .+:\\d\\d`))
  for (const desk of [staffPage, ana]) await expect(rows(desk)).toHaveCount(1)
  // The next one that waits opens. It may be of another test.
  await expect(conversation(staffPage).getByRole('heading')).not.toHaveText(seller.username)
  // A second Z and Enter must not be sent to its customer.
  await expect(reply(staffPage)).not.toBeFocused()
  await pressInToast(staffPage, 'Undo')
  await expectToast(staffPage, 'Change Undone', `The conversation with ${seller.username} is open again.`)
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(seller.username)
  for (const desk of [staffPage, ana]) await expect(rows(desk)).toHaveCount(2)
  await staffPage.keyboard.press('z')
  await staffPage.getByRole('menuitem', { name: 'In 1 hour' }).press('Enter')
  await expectToast(staffPage, 'Conversation Snoozed')
  await expect(rows(staffPage)).toHaveCount(1)
  await expect(conversation(staffPage).getByRole('heading')).not.toHaveText(seller.username)
  await staffPage.goto(`/admin/chat?q=${seller.username}`)
  await expect(rows(staffPage)).toHaveCount(1)
  await staffPage.keyboard.press('j')
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(`Zoe ${seller.username}`)
  await staffPage.keyboard.press('c')
  const asked = staffPage.getByRole('dialog', { name: 'Close without a reply?' })
  await expect(asked).toContainText(`Zoe ${seller.username} is waiting for a reply.`)
  await expect(asked.getByRole('button', { name: 'Close conversation' })).toBeFocused()
  await staffPage.keyboard.press('Enter')
  await expectToast(staffPage, 'Conversation Closed', `Zoe ${seller.username}`)
  await expect(rows(staffPage)).toHaveCount(0)
  await pressInToast(staffPage, 'Undo')
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(`Zoe ${seller.username}`)
  await expect(rows(staffPage)).toHaveCount(1)
  await staffPage.keyboard.press('c')
  await expect(asked.getByRole('button', { name: 'Close conversation' })).toBeFocused()
  await staffPage.keyboard.press('Enter')
  await expect(rows(staffPage)).toHaveCount(0)
  await staffPage.getByRole('button', { name: 'Search all conversations' }).click()
  await expect(rows(staffPage)).toHaveCount(2)
  await expect(row(staffPage, `Zoe ${seller.username}`)).toContainText('Closed')
  await row(staffPage, `Zoe ${seller.username}`).getByRole('button').click()
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(`Zoe ${seller.username}`)
  await reply(staffPage).press('Escape')

  await staffPage.keyboard.press('r')
  await staffPage.keyboard.type('jack')
  await expect(reply(staffPage)).toHaveValue('jack')
  await staffPage.keyboard.press('Escape')
  await staffPage.keyboard.press('c')
  await expectToast(staffPage, 'Conversation Reopened', `Zoe ${seller.username}`)
  await say(page, 'Hello?')
  await expect(row(staffPage, seller.email)).not.toContainText('Snoozed')
  await expect(rows(ana)).toHaveCount(2)
  await staffPage.keyboard.press('r')
  await reply(staffPage).press('Control+Enter')
  await expectToast(
    staffPage,
    'Reply Sent',
    `Your message has been sent successfully. The conversation with Zoe ${seller.username} is closed.`,
  )
  await expect(row(staffPage, `Zoe ${seller.username}`)).toContainText('Closed')
  // The next one that waits opens. It may be of another test.
  await expect(conversation(staffPage).getByRole('heading')).not.toHaveText(`Zoe ${seller.username}`)
  await expect(reply(staffPage)).toBeFocused()
  await pressInToast(staffPage, 'Reopen')
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(`Zoe ${seller.username}`)
  await expect(row(staffPage, `Zoe ${seller.username}`)).not.toContainText('Closed')
  await reply(staffPage).press('Escape')
  await staffPage.keyboard.press('?')
  await expect(staffPage.getByRole('dialog', { name: 'Keys' })).toContainText('Next conversation')
})

test('opens linked conversations that the list does not show, and new ones', async ({ page, staffPage }) => {
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
    await expect(staffPage.getByText('Conversation not found.')).toBeVisible()
  }
})

test('masks a card number until it is shown, which the audit log records', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await say(page, 'It is 6006 4930 1234 5678, PIN 9876')
  await say(page, 'Thanks')
  await asStaff(staffPage)
  await staffPage.clock.install()
  await open(staffPage, seller.username)
  await expect(log(staffPage).getByText('It is ••••, PIN ••••')).toBeVisible()
  const show = log(staffPage).getByRole('button', { name: 'Show number' })
  await expect(show).toHaveCount(1)
  await expectAccessible(staffPage)
  await show.click()
  await expect(log(staffPage).getByText('It is 6006 4930 1234 5678, PIN 9876')).toBeVisible()
  await expect(show).toHaveCount(0)
  await log(staffPage).getByRole('button', { name: 'Hide number' }).click()
  await expect(log(staffPage).getByText('It is ••••, PIN ••••')).toBeVisible()
  await show.click()
  await expect(log(staffPage).getByText('It is 6006 4930 1234 5678, PIN 9876')).toBeVisible()
  await staffPage.clock.fastForward(30_500)
  await expect(log(staffPage).getByText('It is ••••, PIN ••••')).toBeVisible()
  await show.click()
  await expect(log(staffPage).getByText('It is 6006 4930 1234 5678, PIN 9876')).toBeVisible()

  const { username: name } = await signedUp(page)
  await say(page, 'Hello')
  await row(staffPage, name).getByRole('button').click()
  await expect(log(staffPage).getByText('Hello')).toBeVisible()
  await row(staffPage, seller.username).getByRole('button').click()
  await expect(log(staffPage).getByText('It is ••••, PIN ••••')).toBeVisible()

  const thread = new URL(staffPage.url()).searchParams.get('thread') ?? ''
  await staffPage.goto(`/admin/audit?subject=${thread}`)
  await expect(staffPage.getByText('Number in a chat revealed').and(staffPage.locator('p'))).toHaveCount(3)
  await expect(staffPage.getByRole('main')).not.toContainText('6006 4930')
})
