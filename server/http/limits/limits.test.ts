import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { LiveClient } from '#test/socket.ts'
import { createLimits, limitTable } from './limits.ts'

let server: TestApp
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
beforeAll(async () => {
  server = await createTestApp({ limits: true })
})

it('refuses too many passwords, says for how long, and keeps the count in the database', async () => {
  const visitor = server.visitor()
  const guess = () => visitor.post('/api/admin/login', { username: 'admin', password: 'guess' })
  for (let tries = 0; tries < limitTable.adminSignIn.points; tries++) expect((await guess()).status).toBe(401)
  const refused = await guess()
  expect(refused.status).toBe(429)
  expect(refused.json.code).toBe('too_many_requests')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.json.message).toMatch(/^Too many requests\. Please try again in \d+ (minutes?|seconds?)\.$/)
  const { rows } = await server.pool.query("select points from rate_limits where key like 'adminSignIn%'")
  expect(rows).toEqual([{ points: limitTable.adminSignIn.points + 1 }])
})

it('counts for all servers together whatever their clocks say, until the window ends', async () => {
  const [one, other] = [createLimits(server.pool), createLimits(server.pool)]
  const { points, seconds } = limitTable.adminSignIn
  const at = async (days: number, limits: typeof one) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 3600 * 1000 })
    await limits.count('adminSignIn', 'client').finally(() => vi.useRealTimers())
  }
  for (let count = 0; count < points; count++) await at(count % 2 ? 1 : -1, count % 2 ? one : other)
  for (const [days, limits] of [
    [0, one],
    [1, other],
    [-1, one],
  ] as const) {
    const refused = await at(days, limits).catch((error) => error)
    expect(refused).toMatchObject({ code: 'too_many_requests' })
    expect(refused.retryAfter).toBeGreaterThan(seconds - 60)
    expect(refused.retryAfter).toBeLessThanOrEqual(seconds)
  }
  await server.pool.query("update rate_limits set expire = 1 where key = 'adminSignIn:client'")
  // A new server remembers no refusals, so it asks the database.
  await at(0, createLimits(server.pool))
  const { rows } = await server.pool.query("select points from rate_limits where key = 'adminSignIn:client'")
  expect(rows).toEqual([{ points: 1 }])
})

it('does not count refused contact forms, but limits valid ones', async () => {
  const visitor = server.visitor()
  const form = { firstName: 'Vera', lastName: 'V', email: 'vera@example.com', subject: 'Hello' }
  const send = (message: string) => visitor.post('/api/contact', { ...form, message })
  const { points } = limitTable.contact
  for (let tries = 0; tries < points + 5; tries++) expect((await send('short')).status).toBe(400)
  for (let sent = 0; sent < points; sent++) expect((await send('long enough to be read')).status).toBe(201)
  expect((await send('long enough to be read')).status).toBe(429)
  expect((await send('short')).status).toBe(429)
})

it('counts several at once, and leaves room for fewer if they do not fit', async () => {
  const limits = createLimits(server.pool)
  const { points } = limitTable.reveal
  const count = (several: number) =>
    limits.count('reveal', 'several', several).then(
      () => 'counted',
      ({ code }) => code,
    )
  expect(await count(points - 10)).toBe('counted')
  expect(await count(11)).toBe('too_many_requests')
  expect(await count(4)).toBe('counted')
  expect(await Promise.all([count(4), count(4)])).toEqual(
    expect.arrayContaining(['counted', 'too_many_requests']),
  )
  await limits.giveBack('reveal', 'several', 4)
  expect(await count(6)).toBe('counted')
  expect(await count(1)).toBe('too_many_requests')
})

it('refuses from memory, and asks the database again after a few seconds', async () => {
  const limits = createLimits(server.pool)
  const { points } = limitTable.adminSignIn
  const count = () =>
    limits.count('adminSignIn', 'forgetful').then(
      () => 'counted',
      ({ code }) => code,
    )
  vi.useFakeTimers({ toFake: ['performance'] })
  for (let counted = 0; counted < points; counted++) expect(await count()).toBe('counted')
  expect(await count()).toBe('too_many_requests')
  const queries = vi.spyOn(server.pool, 'query')
  for (let refused = 0; refused < 50; refused++) expect(await count()).toBe('too_many_requests')
  expect(queries).not.toHaveBeenCalled()
  await server.pool.query("delete from rate_limits where key = 'adminSignIn:forgetful'")
  vi.advanceTimersByTime(5_000)
  expect(await count()).toBe('counted')
})

describe('a flood from one address', () => {
  const { points } = limitTable.unknownSession
  const bogus = (number: number) => ({ cookie: `unspent_session=${'x'.repeat(42)}${number}` })

  it('of made-up sessions stops costing queries, and does not affect signed-in people', async () => {
    const [seller, neighbor, visitor] = [await server.seller(), await server.seller(), server.visitor()]
    expect((await neighbor.get('/api/auth/me')).status).toBe(200)
    for (let number = 0; number < points; number++)
      expect((await visitor.get('/api/auth/me', bogus(number))).status).toBe(401)
    const queries = vi.spyOn(server.pool, 'query')
    for (let number = 0; number < 50; number++)
      expect((await visitor.get('/api/user/gift-cards', bogus(number))).status).toBe(429)
    const url = await server.listen()
    await expect(LiveClient.open(url, bogus(0))).rejects.toThrow('429')
    expect(queries).not.toHaveBeenCalled()
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
    const elsewhere = { method: 'GET', url: '/api/auth/me', remoteAddress: '192.0.2.7' } as const
    expect((await seller.send(elsewhere)).status).toBe(200)
    // Signed in before the flood, from the same address.
    expect((await neighbor.get('/api/auth/me')).status).toBe(200)
    const newcomer = await server.seller()
    expect((await newcomer.get('/api/auth/me')).status).toBe(200)
  })

  it('of handshakes of the live channel is refused before the session is queried', async () => {
    const shake = (number: number) =>
      server.app.inject({ url: `/ws?sessionId=${'y'.repeat(40)}${number}`, remoteAddress: '192.0.2.8' })
    for (let number = 0; number < limitTable.handshake.points; number++)
      expect((await shake(number)).statusCode).not.toBe(429)
    const queries = vi.spyOn(server.pool, 'query')
    expect((await shake(0)).statusCode).toBe(429)
    expect(queries).not.toHaveBeenCalled()
  })

  it('of probes asks the database once, and is limited', async () => {
    const probe = () => server.app.inject({ url: '/readyz', remoteAddress: '192.0.2.9' })
    const queries = vi.spyOn(server.pool, 'query')
    const answers = await Promise.all(Array.from({ length: 20 }, probe))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(queries.mock.calls.length).toBeLessThanOrEqual(1)
    for (let asked = 20; asked < limitTable.probe.points; asked++) await probe()
    expect((await probe()).statusCode).toBe(429)
    expect((await server.visitor().get('/readyz')).status).toBe(200)
  })
})
