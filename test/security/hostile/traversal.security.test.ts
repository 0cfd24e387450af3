import { request } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'
import { figure } from './size.ts'

let server: TestApp
let url: string
let staff: Person
let seller: Person
let photo: string
beforeAll(async () => {
  server = await createTestApp()
  url = await server.listen()
  staff = await server.staff()
  seller = await server.seller()
  await submitted(seller)
  const [card] = (await seller.get('/api/user/gift-cards')).json
  photo = card.images[0].split('/').at(-1)
})

const UP = [
  '../',
  '..\\',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%2f',
  '..%5c',
  '%252e%252e%252f',
  '..%c0%af',
  '..%ef%bc%8f',
  '....//',
  '..;/',
  '.%00./',
  '%2e%2e%5c',
  '..//',
]
const TARGETS = [
  'etc/passwd',
  'etc%2fpasswd',
  'proc/self/environ',
  'keys',
  'uploads',
  'package.json',
  'server/main.ts',
  'etc/passwd%00.jpg',
  'NAME',
]
const ODD = [
  '',
  '.',
  '..',
  '/',
  '//',
  '%00',
  '%',
  '%zz',
  '.jpg',
  '/etc/passwd',
  '//etc/passwd',
  '%2fetc%2fpasswd',
  'file:///etc/passwd',
  'C:\\windows\\win.ini',
  'http://127.0.0.1/',
  '~',
  '*',
  'NAME%00',
  'NAME%00.png',
  'NAME/',
  'NAME/..',
  'NAME%20',
  'NAME.',
  'name%0d%0aset-cookie:a=b',
  'NAME;a',
  '%u002e%u002e',
  'a'.repeat(300),
  'a'.repeat(3000),
  '../../admin/me',
  '%2e%2e/%2e%2e/me',
  '..%2f..%2fsubmissions',
  'NAME%2f..%2f..%2fme',
]

/** More than two hundred paths that try to leave the folder. */
function escapes(): string[] {
  const climbing = UP.flatMap((up) => TARGETS.flatMap((target) => [up + target, up.repeat(8) + target]))
  return [...ODD, ...climbing].slice(0, 260).map((path) => path.replaceAll('NAME', photo))
}

/** Sends the path unchanged. Other clients normalize it. */
function getRaw(path: string, cookie: string): Promise<{ status: number; text: string; type: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { cookie } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('latin1'),
          type: String(response.headers['content-type']),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

it.each([
  ['/api/admin/view/', () => staff],
  ['/api/admin/download/', () => staff],
  ['/api/user/images/', () => seller],
  ['/uploads/', () => staff],
])('no path below %s leaves the folder of photos', async (folder, person) => {
  const cookie = person().cookieHeader
  if (folder !== '/uploads/') expect((await getRaw(folder + photo, cookie)).type).toBe('image/jpeg')
  let tried = 0
  for (const path of escapes()) {
    const { status, text, type } = await getRaw(folder + path, cookie)
    expect([400, 404], `${path}: ${status}`).toContain(status)
    expect(type, path).toContain('application/json')
    expect(Object.keys(JSON.parse(text)).sort(), path).toEqual(expect.arrayContaining(['code', 'message']))
    expect(text, path).not.toMatch(/root:|DATA_DIR|username/)
    tried += 1
  }
  expect(tried).toBeGreaterThanOrEqual(200)
  figure(`traversal: ${tried} paths below ${folder}, none leaves the folder`)
})
