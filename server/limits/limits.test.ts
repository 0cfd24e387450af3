import { beforeAll, expect, it } from 'vitest'
import { limitTable } from '#server/limits/limits.ts'
import { createTestApp, type TestApp } from '#test/app.ts'

let server: TestApp
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
