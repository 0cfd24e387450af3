import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createLimits, limitTable } from '#server/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'

let server: TestApp
afterEach(() => void vi.useRealTimers())
beforeAll(async () => {
  server = await createTestApp({ limits: true })
})

it('turns away who tries too many passwords, says for how long, and forgets it with no restart', async () => {
  const visitor = server.visitor()
  const guess = () => visitor.post('/api/admin/login', { username: 'admin', password: 'guess' })
  for (let tries = 0; tries < limitTable.adminSignIn.points; tries++) expect((await guess()).status).toBe(401)
  const refused = await guess()
  expect(refused.status).toBe(429)
  expect(refused.json.code).toBe('too_many_requests')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const { rows } = await server.pool.query("select points from rate_limits where key like 'adminSignIn%'")
  expect(rows).toEqual([{ points: limitTable.adminSignIn.points + 1 }])
})

it('counts for all servers together, however wrong their clocks are, and ends with its window', async () => {
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
  await at(0, one)
  const { rows } = await server.pool.query("select points from rate_limits where key = 'adminSignIn:client'")
  expect(rows).toEqual([{ points: 1 }])
})

it('does not count contact forms that are refused, and then stops who sends too many', async () => {
  const visitor = server.visitor()
  const form = { firstName: 'Vera', lastName: 'V', email: 'vera@example.com', subject: 'Hello' }
  const send = (message: string) => visitor.post('/api/contact', { ...form, message })
  const { points } = limitTable.contact
  for (let tries = 0; tries < points + 5; tries++) expect((await send('short')).status).toBe(400)
  for (let sent = 0; sent < points; sent++) expect((await send('long enough to be read')).status).toBe(201)
  expect((await send('long enough to be read')).status).toBe(429)
  expect((await send('short')).status).toBe(429)
})
