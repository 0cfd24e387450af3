import { skipTime } from './clock.ts'
import { cardsOf, expect, isLive, openSubmission, rowsOf, test } from './desk.ts'
import { forgive, move, signedUp, submitCard } from './sellers.ts'

test('shows a lost channel and reconnects after three seconds', async ({ page, ana }) => {
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
  await skipTime(ana, 2900)
  expect(sockets).toHaveLength(1)
  await skipTime(ana, 200)
  await isLive(ana)
  expect(sockets).toHaveLength(2)
  // Fetches what it missed.
  await ana.clock.resume()
  await expect(openSubmission(ana).getByText('Processing', { exact: true }).first()).toBeVisible()
})

test('marks the calls of an unattended page until it is used', async ({ ana }) => {
  const polled = () =>
    ana
      .waitForRequest((request) => request.url().includes('/api/admin/chat/threads'))
      .then((r) => r.headers())
  await ana.routeWebSocket(/\/ws$/, (socket) => void socket.close({ code: 1000 }))
  await ana.clock.install()
  await ana.goto('/admin?tab=chat')
  // Without the live channel the bell asks for conversations every 15 seconds.
  await expect(ana.getByText('Offline', { exact: true })).toBeVisible()
  await ana.mouse.move(100, 100)
  const [used] = await Promise.all([polled(), skipTime(ana, 15_000)])
  expect(used).not.toHaveProperty('x-unattended')
  await ana.clock.fastForward(60_000)
  const [unattended] = await Promise.all([polled(), skipTime(ana, 15_000)])
  expect(unattended).toHaveProperty('x-unattended', '1')
  await ana.mouse.move(200, 200)
  const [usedAgain] = await Promise.all([polled(), skipTime(ana, 15_000)])
  expect(usedAgain).not.toHaveProperty('x-unattended')
})

test('does not reconnect after a normal close', async ({ ana }) => {
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
  await skipTime(ana, 20_000)
  expect(sockets).toHaveLength(1)
})

test('keeps an idle channel and replaces a dead one within 30 seconds', async ({ page, ana }) => {
  const { id, view } = await cardsOf(page, {})
  const line = { dead: false, opened: 0, pings: 0, pongs: 0 }
  await ana.routeWebSocket(/\/ws$/, async (socket) => {
    // A dead line does not refuse connections. It never answers.
    if (line.dead) await new Promise(() => {})
    line.opened += 1
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      line.pings += 1
      server.send(message)
    })
    server.onMessage((message) => {
      if (line.dead) return
      socket.send(message)
      if (String(message).includes('PONG')) line.pongs += 1
    })
  })
  await ana.clock.install()
  await ana.goto(view)
  await isLive(ana)
  await ana.clock.pauseAt(Date.now() + 60_000)
  for (let seconds = 0; seconds < 40; seconds += 2) {
    await skipTime(ana, 2000)
    await expect.poll(() => line.pongs).toBe(line.pings)
  }
  expect(line.pings).toBeGreaterThan(1)
  expect(line.opened).toBe(1)

  line.dead = true
  await move(ana, id, 'processing')
  await skipTime(ana, 24_000)
  await expect(ana.getByText('Reconnecting', { exact: true })).toBeVisible()
  await expect(ana.getByText('Live', { exact: true })).toHaveCount(0)
  line.dead = false
  // Gives up the current attempt after ten seconds and starts the next three seconds later.
  await skipTime(ana, 14_000)
  await isLive(ana)
  await expect(ana.getByText('Reconnecting', { exact: true })).toHaveCount(0)
  // Fetches what it missed.
  await ana.clock.resume()
  await expect(openSubmission(ana).getByText('Processing', { exact: true }).first()).toBeVisible()
})

test('stays connected when a seller signs out in the same browser', async ({ page, ana }) => {
  const { view } = await cardsOf(page, {})
  await signedUp(ana)
  const shop = await ana.context().newPage()
  await shop.goto('/transactions')
  await expect(shop.getByRole('button', { name: 'Support Chat' })).toBeVisible()
  await ana.goto(view)
  await isLive(ana)
  await shop.getByRole('button', { name: 'My Account' }).click()
  await shop.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(shop.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  await submitCard(page)
  await expect(rowsOf(ana)).toHaveCount(2)
  await isLive(ana)
})

test('logs and ignores messages it cannot read', async ({ page, ana, complaints }) => {
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
