import { cardsOf, expect, isLive, openSubmission, rowsOf, test } from './desk.ts'
import { forgive, move, submitCard } from './sellers.ts'

test('the indicator tells when the channel is gone, and it is opened again after three seconds', async ({
  page,
  ana,
}) => {
  const { id, view } = await cardsOf(page, {})
  const sockets: { close: (options: { code: number }) => Promise<void> }[] = []
  await ana.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer()
    sockets.push(socket)
  })
  await ana.clock.install()
  await ana.goto(view)
  await isLive(ana)
  await ana.clock.pauseAt(Date.now() + 60_000)
  await sockets[0]?.close({ code: 1012 })
  await expect(ana.getByText('Offline', { exact: true })).toBeVisible()
  await move(ana, id, 'processing')
  await ana.clock.runFor(2900)
  expect(sockets).toHaveLength(1)
  await ana.clock.runFor(200)
  await isLive(ana)
  expect(sockets).toHaveLength(2)
  // What was missed meanwhile is fetched.
  await ana.clock.resume()
  await expect(openSubmission(ana).getByText('Processing', { exact: true }).first()).toBeVisible()
})

test('a page that nobody uses says so with every call, until somebody does', async ({ ana }) => {
  const polled = () =>
    ana
      .waitForRequest((request) => request.url().includes('/api/admin/chat/threads'))
      .then((r) => r.headers())
  await ana.routeWebSocket(/\/ws$/, (socket) => void socket.close({ code: 1000 }))
  await ana.clock.install()
  await ana.goto('/admin?tab=chat')
  // Without the live channel the list of conversations is polled.
  await expect(ana.getByText('Offline', { exact: true })).toBeVisible()
  await ana.mouse.move(100, 100)
  const [used] = await Promise.all([polled(), ana.clock.runFor(6_000)])
  expect(used).not.toHaveProperty('x-unattended')
  await ana.clock.runFor(60_000)
  const [unattended] = await Promise.all([polled(), ana.clock.runFor(6_000)])
  expect(unattended).toHaveProperty('x-unattended', '1')
  await ana.mouse.move(200, 200)
  const [usedAgain] = await Promise.all([polled(), ana.clock.runFor(6_000)])
  expect(usedAgain).not.toHaveProperty('x-unattended')
})

test('a normal close of the channel is the end of it', async ({ ana }) => {
  const sockets: { close: (options: { code: number }) => Promise<void> }[] = []
  await ana.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer()
    sockets.push(socket)
  })
  await ana.clock.install()
  await ana.goto('/admin?tab=chat')
  await isLive(ana)
  await sockets[0]?.close({ code: 1000 })
  await expect(ana.getByText('Offline', { exact: true })).toBeVisible()
  await ana.clock.runFor(20_000)
  expect(sockets).toHaveLength(1)
})

test('what cannot be read on the channel is noted and ignored', async ({ page, ana, complaints }) => {
  const { view } = await cardsOf(page, {})
  let push = (_text: string) => {}
  await ana.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer()
    push = (text) => socket.send(text)
  })
  await ana.goto(view)
  await isLive(ana)
  for (const text of ['NEW_SUBMISSION', '{"type":"SOMETHING_NEW"}', 'null', '[]']) push(text)
  await submitCard(page)
  await expect(rowsOf(ana)).toHaveCount(2)
  expect(complaints).toHaveLength(4)
  forgive(complaints, /^warning: Ignored a live message that could not be read$/)
})
