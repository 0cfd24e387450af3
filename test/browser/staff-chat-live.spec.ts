import { addEarlierMessages, conversation, log, open, reply, row, say } from './chat-desk.ts'
import { skipTime } from './clock.ts'
import { expect, test } from './desk.ts'
import { asStaff, forgive, signedUp } from './sellers.ts'

const LIVE = /\/ws/

test('polls only while the channel is down', async ({ page, staffPage, complaints }) => {
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
    // Requests of the list, not of the open conversation or the bell.
    if (pathname === '/api/admin/chat/threads' && searchParams.has('show')) looks.threads += 1
    if (pathname === '/api/admin/chat/messages') looks.messages += 1
  })
  // Marking the conversation as read is still pushed while this begins. Polling would repeat within every 20 seconds.
  await expect(async () => {
    Object.assign(looks, { threads: 0, messages: 0 })
    await skipTime(staffPage, 20_000)
    expect(looks).toEqual({ threads: 0, messages: 0 })
  }).toPass()

  up = false
  await staffPage.reload()
  await expect(staffPage.getByText('Offline', { exact: true })).toBeVisible()
  await expect(log(staffPage).getByText('Hello?')).toBeVisible()
  await say(page, 'Found by looking')
  await skipTime(staffPage, 2100)
  await expect(log(staffPage).getByText('Found by looking')).toBeVisible()
  await skipTime(staffPage, 5100)
  await expect(row(staffPage, seller.username)).toContainText('Found by looking')
  forgive(complaints, /WebSocket/)
})

test('loads earlier messages on scrolling up and keeps the position', async ({
  page,
  staffPage,
  database,
}) => {
  const seller = await signedUp(page)
  await say(page, 'The first of all')
  await addEarlierMessages(database, seller.id, 230, (number) => `Message ${number} of many`)
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const last = log(staffPage).getByText('Message 230 of many')
  await expect(last).toBeInViewport()
  await expect(log(staffPage).getByRole('listitem')).toHaveCount(200)
  const oldest = log(staffPage).getByText('Message 31 of many')
  await log(staffPage).press('Home')
  await expect(log(staffPage).getByRole('listitem')).toHaveCount(231)
  await expect(oldest).toBeInViewport()
  await log(staffPage).press('Home')
  await expect(log(staffPage).getByText('Message 1 of many')).toBeInViewport()
  // A new message does not move the reader, who can jump to it by a press.
  await say(page, 'And one more')
  await expect(log(staffPage).getByText('And one more')).toBeAttached()
  await expect(log(staffPage).getByText('Message 1 of many')).toBeInViewport()
  await staffPage.getByRole('button', { name: 'Newest messages' }).click()
  await expect(log(staffPage).getByText('And one more')).toBeInViewport()
  await expect(staffPage.getByRole('button', { name: 'Newest messages' })).toHaveCount(0)
})

test('shows two administrators who is answering, replies and read marks', async ({
  page,
  staffPage,
  ana: other,
}) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await asStaff(staffPage)
  await open(staffPage)
  await expect(row(staffPage, seller.username)).toContainText('1 unread')
  await open(other, seller.username)
  await expect(row(staffPage, seller.username)).not.toContainText('unread')
  await reply(other).pressSequentially('Let me')
  await expect(row(staffPage, seller.username)).toContainText('ana is answering')
  await row(staffPage, seller.username).getByRole('button').click()
  await expect(conversation(staffPage).getByRole('status').getByText('ana is answering')).toBeVisible()
  await expect(conversation(other).getByText('is answering')).toHaveCount(0)
  await reply(other).fill('')
  await expect(conversation(staffPage).getByText('ana is answering')).toHaveCount(0)
  await reply(other).pressSequentially('Let me')
  await expect(conversation(staffPage).getByText('ana is answering')).toBeVisible()
  await reply(other).press('Enter')
  await expect(log(staffPage).getByText('Let me')).toBeVisible()
  await expect(log(staffPage).getByText('ana', { exact: true })).toBeVisible()
  await expect(conversation(staffPage).getByText('ana is answering')).toHaveCount(0)
})
