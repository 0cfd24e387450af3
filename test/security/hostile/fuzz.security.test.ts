import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { encodeMultipart } from '#test/multipart.ts'
import { ADMIN_PASSWORD, newSeller } from '#test/people.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { LiveClient } from '#test/socket.ts'
import { photo, submissionParts } from '#test/submissions.ts'
import { closeFuzzClient, type FuzzAnswer, sendFuzz } from './fuzz-client.ts'
import { CANARY, Generator, newCanary } from './generate.ts'
import { dumpDatabase, found, leaksBelow, strangeMails } from './leaks.ts'
import { residentMb } from './memory.ts'
import { fuzzRequest } from './requests.ts'
import { figure, large, seeded, sized } from './size.ts'

const ROUNDS = sized(2, 10_000)
const PASS = 20
/** The long form ends after so long, however far it has come. */
const MINUTES = Number(process.env.SECURITY_MINUTES ?? 600)
const AT_ONCE = 6
const MEMORY_GROWTH_MB = 50
/** What signs somebody out or removes what the others work on comes last. */
const LAST = new Set(['logout', 'adminLogout', 'endOtherSessions', 'clearSubmissions'])

type Role = 'visitor' | 'seller' | 'staff'
const random = seeded('fuzz')
const generator = new Generator(random)
const tokens = new Set<string>()
const frames: string[] = []
const problems: string[] = []
const byStatus = new Map<number, number>()
let server: ServerProcess
let dataDir: string
let url: string
let files: Buffer[]
const cookies: Record<Role, string> = { visitor: '', seller: '', staff: '' }

beforeAll(async () => {
  dataDir = await newDataDir()
  server = ServerProcess.start({ DATA_DIR: dataDir, ADMIN_PASSWORD, RATE_LIMITS: 'off', LOG_LEVEL: 'debug' })
  url = await server.ready()
  const small = await photo(100, { width: 40, height: 30 })
  const png = await sharp(small).png().toBuffer()
  files = [small, small, png, small.subarray(0, 200), Buffer.alloc(0), Buffer.from('<svg/>'), random1k()]
  await signIn('seller')
  await signIn('staff')
}, 120_000)

afterAll(async () => {
  server?.kill('SIGKILL')
  closeFuzzClient()
  await rm(dataDir, { recursive: true, force: true })
})

const random1k = () => Buffer.from(Array.from({ length: 1000 }, () => random.below(256)))

async function post(path: string, body: object, cookie = ''): Promise<FuzzAnswer> {
  const headers = { 'content-type': 'application/json' }
  const answer = await sendFuzz(
    url,
    { method: 'POST', path, headers, body: Buffer.from(JSON.stringify(body)) },
    cookie,
  )
  noteTokens(answer)
  return answer
}

function noteTokens({ cookies: set }: FuzzAnswer): void {
  for (const cookie of set) {
    const value = /^unspent_\w+=([\w-]{20,})/.exec(cookie)?.[1]
    if (value && tokens.size < 100) tokens.add(value)
  }
}

const cookieOf = ({ cookies: set }: FuzzAnswer) => set.map((cookie) => cookie.split(';', 1)[0]).join('; ')

/** Signs somebody in, with something of their own to be found by the others. */
async function signIn(role: 'seller' | 'staff'): Promise<void> {
  if (role === 'staff') {
    cookies.staff = cookieOf(await post('/api/admin/login', { username: 'admin', password: ADMIN_PASSWORD }))
  } else {
    cookies.seller = cookieOf(
      await post('/api/auth/register', { ...newSeller(), password: newCanary(random) }),
    )
    await ownThings(cookies.seller)
  }
  const client = await LiveClient.open(url, { cookie: cookies[role], origin: url })
  void client.closed.then(() => frames.push(JSON.stringify(client.messages)))
  live.push(client)
}
const live: LiveClient[] = []

async function ownThings(cookie: string): Promise<void> {
  const secret = () => newCanary(random)
  const bank = {
    type: 'bank_transfer',
    accountName: 'Sally',
    routingNumber: secret(),
    accountNumber: secret(),
  }
  await post('/api/payment-methods', bank, cookie)
  await post('/api/contact', {
    firstName: 'A',
    lastName: 'B',
    email: 'a@example.com',
    subject: 'S',
    message: 'Long enough it is',
  })
  for (let i = 0; i < 2; i++) {
    const parts = submissionParts(
      {
        cardNumber: secret(),
        securityCode: secret(),
        paymentType: 'bank_transfer',
        paymentRoutingNumber: secret(),
        paymentAccountNumber: secret(),
      },
      [files[0] ?? Buffer.alloc(0)],
    )
    const { payload, contentType } = encodeMultipart(parts)
    const headers = { 'content-type': contentType, 'idempotency-key': randomUUID() }
    const request = { method: 'POST', path: '/api/gift-cards', headers, body: payload }
    const answer = await sendFuzz(url, request, cookie)
    expect(answer.status, answer.bytes.toString()).toBe(201)
    learn(answer)
    lastCard = JSON.parse(answer.bytes.toString()).giftCard.id
  }
}
let lastCard = ''

/** Ids and photos that were seen are asked for later, by everybody. */
function learn({ bytes, headers }: FuzzAnswer): void {
  if (!headers.includes('application/json')) return
  const text = bytes.toString('utf8', 0, 20_000)
  for (const [id] of text.matchAll(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g))
    keep(generator.ids, id)
  for (const [, name] of text.matchAll(/\/uploads\/([\w-]+\.jpg)/g)) keep(generator.photos, name ?? '')
}

function keep(list: string[], item: string): void {
  if (list.length < 200) list.push(item)
  else list[random.below(list.length)] = item
}

async function fuzzOnce(name: string, route: Route, role: Role): Promise<void> {
  const request = fuzzRequest(route, { random, generator, files })
  const at = `${role} ${name} ${request.method} ${request.path.slice(0, 200)}`
  const answer = await sendFuzz(url, request, cookies[role]).catch((error: Error) => error)
  if (answer instanceof Error) {
    problems.push(`no answer: ${at}: ${answer.message}`)
    return
  }
  byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
  if (answer.status >= 500)
    problems.push(`${answer.status}: ${at}: ${request.body?.toString('utf8', 0, 500)}`)
  const everything = Buffer.concat([
    Buffer.from(answer.headers.replace(/^set-cookie\n.*$/gim, '')),
    answer.bytes,
  ])
  // What a reveal answers is what it is for, to staff.
  const revealed = name === 'reveal' && role === 'staff' && answer.status === 200
  if (!revealed && everything.includes(CANARY)) problems.push(`secret in the answer: ${at}`)
  for (const token of found(everything, [...tokens]))
    problems.push(`token ${token.slice(0, 4)}… in the answer: ${at}`)
  learn(answer)
}

/** Signs them in again whose session a request has ended. */
async function ensureSignedIn(role: Role): Promise<void> {
  if (role === 'visitor') return
  const path = role === 'seller' ? '/api/auth/me' : '/api/admin/me'
  const me = await sendFuzz(url, { method: 'GET', path, headers: {}, body: undefined }, cookies[role])
  if (me.status === 401) await signIn(role)
}

const ordered = Object.entries(routes as Record<string, Route>).sort(
  ([a], [b]) => +LAST.has(a) - +LAST.has(b),
)

/** Every route by everybody, so many times each. */
async function fuzzAll(rounds: number): Promise<void> {
  for (const [name, route] of ordered) {
    for (const role of ['visitor', 'seller', 'staff'] as const) {
      await ensureSignedIn(role)
      for (let round = 0; round < rounds; round += AT_ONCE) {
        const batch = Math.min(AT_ONCE, rounds - round)
        await Promise.all(Array.from({ length: batch }, () => fuzzOnce(name, route, role)))
      }
    }
  }
}

/** Passes of a few each, so that what ends early for want of time has been everywhere. */
async function fuzzFor(rounds: number): Promise<number> {
  const end = Date.now() + MINUTES * 60_000
  let done = 0
  while (done < rounds && Date.now() < end) {
    const pass = Math.min(PASS, rounds - done)
    await fuzzAll(pass)
    done += pass
    if (large) figure(`fuzz: ${done} per route and role, ${Math.round(residentMb(server.pid))} MB`)
  }
  return done
}

it(
  'no request of any form to any route by anybody breaks the server or gets a secret out of it',
  async () => {
    // The mark is found where it may be, so that it would be found elsewhere.
    const revealed = await post(`/api/admin/submissions/${lastCard}/reveal`, {}, cookies.staff)
    expect(revealed.bytes.includes(CANARY)).toBe(true)
    // What is loaded, compiled and cached once is no growth.
    await fuzzAll(large ? 3 * PASS : 1)
    const before = residentMb(server.pid)
    const started = Date.now()
    const rounds = await fuzzFor(ROUNDS)
    const seconds = (Date.now() - started) / 1000
    const after = residentMb(server.pid)
    expect(problems.slice(0, 20), `of ${problems.length}`).toEqual([])
    expect(after - before, 'memory growth in MB').toBeLessThan(MEMORY_GROWTH_MB)
    const health = await sendFuzz(url, { method: 'GET', path: '/readyz', headers: {}, body: undefined }, '')
    expect(health.status).toBe(200)

    for (const client of live) frames.push(JSON.stringify(client.messages))
    const heard = Buffer.from(frames.join('\n'))
    const secrets = [CANARY, ...tokens]
    expect(found(heard, secrets), 'in live frames').toEqual([])
    for (const client of live) client.close()
    server.kill('SIGTERM')
    expect(await server.ended()).toBe(0)
    expect(found(Buffer.from(server.output), secrets), 'in the log').toEqual([])
    expect(server.output.length, 'the log was written').toBeGreaterThan(10_000)
    expect(found(Buffer.from(await dumpDatabase(dataDir)), secrets), 'in a dump of the database').toEqual([])
    expect(await leaksBelow(dataDir, secrets), 'in a file').toEqual([])

    expect(await strangeMails(dataDir), 'headers of mails').toEqual([])

    const sent = [...byStatus.values()].reduce((sum, count) => sum + count, 0)
    const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    figure(
      `fuzz: ${sent} requests, ${rounds} per route and role after a first pass, ${Math.round(seconds)} s; ${statuses.join(', ')}`,
    )
    figure(
      `fuzz: memory ${Math.round(before)} MB before, ${Math.round(after)} MB after; ${heard.length} bytes of frames`,
    )
  },
  large ? 12 * 3_600_000 : 120_000,
)
