import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { photo } from '#test/submissions.ts'
import { isLong } from '../size.ts'
import { closeFuzzClient, type FuzzAnswer, sendFuzz } from './fuzz-client.ts'
import { FuzzPeople, type Role } from './fuzz-people.ts'
import { CANARIES, Generator } from './generate.ts'
import { LeakWatch } from './leak-watch.ts'
import { injectedMails, leaksBelow, leaksInDatabase } from './leaks.ts'
import { keptMb } from './memory.ts'
import { fuzzRequest } from './requests.ts'
import { figure, seeded, sized } from './size.ts'

const ROUNDS = sized(2, 10_000)
const PASS = 50
/** Rounds before memory is measured, to load, compile and cache everything. */
const WARM_UP = isLong ? 2 * PASS : 1
/** Time limit of the long form. */
const MINUTES = Number(process.env.SECURITY_MINUTES ?? 600)
/** Requests in flight per role. The three roles run at the same time. */
const CONCURRENCY = 8
const MEMORY_GROWTH_MB = 50
const LOADED_FIRST = new URL('settle.ts', import.meta.url).href
/** Routes that end sessions or remove data run last. */
const LAST = new Set([
  'logout',
  'adminLogout',
  'endOtherSessions',
  'endOtherAdminSessions',
  'clearSubmissions',
])

const random = seeded('fuzz')
const generator = new Generator(random)
const watch = new LeakWatch()
const problems: string[] = []
const byStatus = new Map<number, number>()
let server: ServerProcess
let dataDir: string
let url: string
let files: Buffer[]
let people: FuzzPeople

beforeAll(async () => {
  dataDir = await newDataDir()
  server = ServerProcess.start({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
    NODE_OPTIONS: `--import=${LOADED_FIRST}`,
  })
  url = await server.ready()
  const small = await photo(100, { width: 40, height: 30 })
  const png = await sharp(small).png().toBuffer()
  const broken = [small.subarray(0, 200), Buffer.alloc(0), Buffer.from('<svg/>'), random1k()]
  files = [small, png, ...broken, ...broken]
  people = new FuzzPeople({ url, random, watch, photo: small, learn })
  await people.signIn('seller')
  await people.signIn('staff')
}, 120_000)

afterAll(async () => {
  // Printed here too, because a failure may have ended the test early.
  figure(`fuzz: errors in the log: ${errorsIn(server.output)}`)
  server?.kill('SIGKILL')
  closeFuzzClient()
  await rm(dataDir, { recursive: true, force: true })
})

const random1k = () => Buffer.from(Array.from({ length: 1000 }, () => random.below(256)))

/** Keeps ids and photos from answers, for later requests of every role. */
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
  const call = `${role} ${name} ${request.method} ${request.path.slice(0, 200)}`
  const answer = await sendFuzz(url, request, people.cookies[role]).catch((error: Error) => error)
  if (answer instanceof Error) {
    problem(`no answer: ${call}: ${answer.message}`)
    return
  }
  byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
  if (answer.status >= 500 && !isOverloaded(answer))
    problem(`${answer.status}: ${call}: ${answer.headers} ${request.body?.toString('utf8', 0, 500)}`)
  const everything = Buffer.concat([
    Buffer.from(answer.headers.replace(/^set-cookie\n.*$/gim, '')),
    answer.bytes,
  ])
  // A reveal by staff is meant to return secrets.
  const reveals = ['reveal', 'revealMessage', 'revealPayout', 'batchFile'].includes(name)
  const revealed = reveals && role === 'staff' && answer.status === 200
  if (!revealed && CANARIES.some((canary) => everything.includes(canary)))
    problem(`secret in the answer: ${call}`)
  for (const token of watch.tokensIn(everything))
    problem(`token ${token.slice(0, 4)}… in the answer: ${call}`)
  learn(answer)
}

/** The documented answer of an overloaded server, with the time to try again. */
function isOverloaded({ status, headers, bytes }: FuzzAnswer): boolean {
  return status === 503 && /^retry-after$/im.test(headers) && bytes.includes('"code":"busy"')
}

function problem(text: string): void {
  problems.push(text)
  if (isLong) figure(`fuzz: PROBLEM ${text}`)
}

const ordered = Object.entries(routes as Record<string, Route>).sort(
  ([a], [b]) => +LAST.has(a) - +LAST.has(b),
)

/** Calls every route as every role, `rounds` times each. */
async function fuzzAll(rounds: number): Promise<void> {
  await Promise.all((['visitor', 'seller', 'staff'] as const).map((role) => fuzzAs(role, rounds)))
}

async function fuzzAs(role: Role, rounds: number): Promise<void> {
  for (const [name, route] of ordered) {
    await people.ensureSignedIn(role)
    let left = rounds
    const send = async () => {
      while (left-- > 0) await fuzzOnce(name, route, role)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, send))
  }
}

/** Runs in passes of a few rounds, so every route was called even if the time runs out. */
async function fuzzFor(rounds: number): Promise<number> {
  const end = Date.now() + MINUTES * 60_000
  let done = 0
  while (done < rounds && Date.now() < end) {
    const pass = Math.min(PASS, rounds - done)
    await fuzzAll(pass)
    done += pass
    expectNoLeaks()
    if (isLong) figure(`fuzz: ${done} per route and role, ${Math.round(await keptMb(server))} MB`)
  }
  return done
}

/** Checks the log and live messages so far, and drops them. */
function expectNoLeaks(): void {
  const log = server.output
  server.output = ''
  const errors = errorsIn(log)
  if (errors) figure(`fuzz: errors in the log: ${errors}`)
  expect(watch.inNext('log', log), 'in the log').toEqual([])
  expect(watch.inNext('frames', people.framesSoFar()), 'in live frames').toEqual([])
}

const errorsIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .slice(0, 5)
    .join('\n')

const sent = () => [...byStatus.values()].reduce((sum, count) => sum + count, 0)

it(
  'no request to any route breaks the server or leaks a secret',
  async () => {
    // Proves that the check finds canaries at all.
    const revealed = await people.post(
      `/api/admin/submissions/${people.lastCard}/reveal`,
      {},
      people.cookies.staff,
    )
    for (const canary of CANARIES) expect(revealed.bytes.includes(canary)).toBe(true)
    await fuzzAll(WARM_UP)
    expectNoLeaks()
    const [before, sentBefore] = [await keptMb(server), sent()]
    const started = Date.now()
    const rounds = await fuzzFor(ROUNDS)
    const seconds = (Date.now() - started) / 1000
    const after = await keptMb(server)
    expect(problems.length, problems.slice(0, 20).join('\n')).toBe(0)
    expect(after - before, 'memory growth in MB').toBeLessThanOrEqual(MEMORY_GROWTH_MB)
    const health = await sendFuzz(url, { method: 'GET', path: '/readyz', headers: {}, body: undefined }, '')
    expect(health.status).toBe(200)

    people.leave()
    server.kill('SIGTERM')
    expect(await server.ended()).toBe(0)
    expectNoLeaks()
    expect(watch.seenOf('log'), 'characters of log checked').toBeGreaterThan(10_000)
    expect(watch.seenOf('frames'), 'characters of live messages checked').toBeGreaterThan(100)
    // Proves that the search of the database finds text at all.
    expect(await leaksInDatabase(dataDir, ['@example.com'])).not.toEqual([])
    expect(await leaksInDatabase(dataDir, watch.secrets), 'in a dump of the database').toEqual([])
    expect(await leaksBelow(dataDir, watch.secrets), 'in a file').toEqual([])
    expect(await injectedMails(dataDir), 'headers of mails').toEqual([])

    const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    figure(
      `fuzz: ${ordered.length} routes, ${rounds} requests per route and role after ${WARM_UP} to warm up, ` +
        `${sent() - sentBefore} in ${Math.round(seconds)} s; with the warm-up ${statuses.join(', ')}`,
    )
    figure(
      `fuzz: memory ${Math.round(before)} MB after warming up, ${Math.round(after)} MB at the end; ` +
        `${watch.seenOf('log')} characters of log, ${watch.seenOf('frames')} of live frames`,
    )
  },
  isLong ? 12 * 3_600_000 : 120_000,
)
