import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { encodeMultipart } from '#test/multipart.ts'
import type { Person } from '#test/person.ts'
import { LiveClient } from '#test/socket.ts'
import { submissionParts, submitted } from '#test/submissions.ts'
import { contentsOf } from '../contents.ts'
import { isLong } from '../size.ts'

let server: TestApp
let url: string
let seller: Person
let staff: Person
let id: string
beforeAll(async () => {
  server = await createTestApp()
  url = await server.listen()
  seller = await server.seller()
  staff = await server.staff()
  id = await submitted(seller)
})

/** How browsers mark requests from other sites: by fetch, a form, a frame, a sandbox, or plain http. */
const foreign: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin: 'null' },
  { 'sec-fetch-site': 'same-site', origin: 'https://blog.unspent.example' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
  { 'sec-fetch-site': 'SAME-ORIGIN ' },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { 'sec-fetch-site': '' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://localhost:81' },
  { origin: 'https://localhost' },
  { origin: 'http://localhost@evil.example' },
  { origin: '' },
]

/** Types a form on another site can send without a preflight, and JSON, which it cannot. */
const types = isLong
  ? [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]
  : ['application/json', '']

const changing = (Object.entries(routes) as [string, Route][]).filter(([, { method }]) => method !== 'GET')

describe('a request from another site', () => {
  it.each(changing)('cannot use %s, signed in or not, whatever its headers', async (_name, route) => {
    const path = route.path.replace(':id', id).replace(':slug', 'amazon')
    for (const person of [server.visitor(), seller, staff]) {
      for (const headers of foreign) {
        for (const type of types) {
          const { statusCode, body } = await server.app.inject({
            method: route.method,
            url: path,
            headers: {
              host: 'localhost',
              cookie: person.cookieHeader,
              ...headers,
              ...(type && { 'content-type': type }),
            },
            ...(type && { payload: '{}' }),
          })
          expect([statusCode, JSON.parse(body).code], JSON.stringify({ headers, type })).toEqual([
            403,
            'cross_site',
          ])
        }
      }
    }
  })

  it('changes nothing even if it is valid otherwise', async () => {
    const before = await contentsOf(server.pool)
    const { payload, contentType } = encodeMultipart(submissionParts({}, []))
    const attempts = [
      { as: seller, method: 'POST', url: '/api/gift-cards', payload, type: contentType },
      { as: seller, method: 'POST', url: `/api/user/gift-cards/${id}/withdraw` },
      { as: seller, method: 'DELETE', url: '/api/user/sessions' },
      { as: staff, method: 'DELETE', url: '/api/admin/submissions' },
      {
        as: staff,
        method: 'PATCH',
        url: `/api/admin/submissions/${id}/status`,
        payload: '{"status":"completed"}',
      },
      { as: staff, method: 'POST', url: `/api/admin/submissions/${id}/reveal` },
    ] as const
    for (const { as, method, url: path, ...rest } of attempts) {
      for (const headers of foreign) {
        const type = 'type' in rest ? rest.type : 'payload' in rest ? 'application/json' : undefined
        const answer = await server.app.inject({
          method,
          url: path,
          headers: {
            host: 'localhost',
            cookie: as.cookieHeader,
            ...headers,
            ...(type && { 'content-type': type }),
          },
          ...('payload' in rest && { payload: rest.payload }),
        })
        expect(answer.statusCode).toBe(403)
      }
    }
    expect(await contentsOf(server.pool)).toEqual(before)
  })

  it('cannot open the live channel', async () => {
    for (const person of [seller, staff]) {
      const cookie = person.cookieHeader
      for (const headers of foreign.filter(({ origin }) => origin !== '')) {
        await expect(LiveClient.open(url, { cookie, ...headers }), JSON.stringify(headers)).rejects.toThrow(
          '403',
        )
      }
      ;(await LiveClient.open(url, { cookie, origin: url })).close()
    }
  })

  it('gets no headers that let other sites read answers', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const preflight = await server.app.inject({
        method: 'OPTIONS',
        url: '/api/gift-cards',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      const read = await server.app.inject({ url: '/api/brands', headers: { origin } })
      for (const { headers } of [preflight, read]) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
      expect(read.headers['cross-origin-resource-policy']).toBe('same-origin')
    }
  })
})
