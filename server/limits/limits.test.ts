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
