import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { buildApp } from '#server/app.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { limitTable, noLimits } from './limits/limits.ts'

let server: TestApp
let callers: Record<'anyone' | 'seller' | 'staff', Person>
beforeAll(async () => {
  server = await createTestApp()
  callers = { anyone: server.visitor(), seller: await server.seller(), staff: await server.staff() }
})

const all = Object.entries(routes) as [string, Route][]
const filled = (path: string) =>
  path.replace(':id', '01890000-0000-7000-8000-000000000000').replace('*', 'x.jpg')

describe('the table of routes', () => {
  it.each(all)('%s is served, with a rate limit and answers', async (_name, route) => {
    expect(server.app.hasRoute({ method: route.method, url: route.path })).toBe(true)
    expect(route.limit === 'none' || route.limit in limitTable).toBe(true)
    expect(route.file !== undefined || Object.keys(route.answers).length > 0).toBe(true)
  })

  it.each(all.filter(([, { access }]) => access !== 'anyone'))(
    '%s refuses visitors',
    async (_name, route) => {
      const answer = await server.visitor().send({ method: route.method, url: filled(route.path) })
      expect(answer.status).toBe(401)
      expect(answer.json.code).toBe('signed_out')
      expect(answer.headers['cache-control']).toBe('no-store')
    },
  )

  it.each(all.filter(([, { access }]) => access !== 'anyone' && access !== 'seller'))(
    '%s refuses sellers',
    async (_name, route) => {
      const answer = await callers.seller.send({ method: route.method, url: filled(route.path) })
      expect(answer.status).toBe(401)
    },
  )
})

describe('requests from another site', () => {
  const login = {
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: 'a@b.example', password: 'x' },
  } as const

  it.each(['cross-site', 'same-site'])('are refused if the browser says %s', async (site) => {
    const answer = await server.visitor().send({ ...login, headers: { 'sec-fetch-site': site } })
    expect(answer.status).toBe(403)
  })

  it('are refused by their Origin if there is no Sec-Fetch-Site', async () => {
    const answer = await server.visitor().send({ ...login, headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(403)
  })

  it.each([
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://localhost:80' },
    {},
  ])('are not assumed with %o', async (headers) => {
    const answer = await server.visitor().send({ ...login, headers: { host: 'localhost:80', ...headers } })
    expect(answer.status).toBe(401)
  })
})

describe('an invalid request', () => {
  it.each([
    ['text/plain', 'hello', 415],
    ['application/x-www-form-urlencoded', 'email=a', 415],
    ['application/json', '{"email":', 400],
    ['application/json', 'null', 400],
    ['application/json', '[]', 400],
    ['application/json', '"text"', 400],
    ['application/json', '{"__proto__":{"a":1}}', 400],
    ['application/json', `{"email":"${'x'.repeat(300_000)}"}`, 413],
  ])('of type %s with body %.20s is answered %d', async (type, payload, status) => {
    const answer = await server
      .visitor()
      .send({ method: 'POST', url: '/api/auth/login', payload, headers: { 'content-type': type } })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ message: expect.any(String), code: expect.any(String) })
  })

  it.each(all.filter(([, { body, multipart }]) => body && !multipart && !body.safeParse(undefined).success))(
    'to %s without a body is answered 400',
    async (_name, { method, path, access }) => {
      const person = await callers[access === 'anyone' || access === 'seller' ? access : 'staff']
      for (const payload of [undefined, 'null', '[]']) {
        const headers = { 'content-type': 'application/json' }
        const sent = payload === undefined ? {} : { payload, headers }
        const answer = await person.send({ method, url: filled(path), ...sent })
        expect(answer.status, String(payload)).toBe(400)
      }
    },
  )

  it('to an unknown address is answered 404 with the usual error body', async () => {
    const answer = await server.visitor().get('/api/nothing')
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({ message: 'Not found', code: 'not_found' })
  })

  it.each(['/api/admin/view/%00', '/%', '/api/brands?%', '/api/admin/submissions?limit=x'])(
    'to %s does not cause a 500',
    async (url) => {
      const staff = await server.staff()
      expect((await staff.get(url)).status).toBeLessThan(500)
    },
  )
})

describe('headers', () => {
  it('block foreign scripts, frames and other sites', async () => {
    const { headers } = await server.visitor().get('/api/brands')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("base-uri 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it.each([
    [{ https: false }, undefined],
    [{ https: true }, 'max-age=63072000'],
    [{ https: true, hstsSubdomains: true }, 'max-age=63072000; includeSubDomains'],
  ])('require https according to the settings: %o', async (settings, expected) => {
    const context = { ...server.context, site: { ...server.context.site, ...settings } }
    const app = await buildApp({ context, limits: noLimits, sockets: new Sockets(), trustProxy: false })
    const { headers } = await app.inject('/api/brands')
    expect(headers['strict-transport-security']).toBe(expected)
    await app.close()
  })

  it('allow the catalog to be cached and revalidated', async () => {
    const first = await server.visitor().get('/api/brands')
    expect(first.json).toHaveLength(67)
    const again = await server.visitor().get('/api/brands', { 'if-none-match': String(first.headers.etag) })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })
})
