import { promisify } from 'node:util'
import fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RawConnection, sayRaw } from '#test/raw-request.ts'
import { readWords } from '#words/catalogs.ts'
import { arrivalLimits } from './arrival.ts'
import { connectionLimiter, limitAnswers } from './connections.ts'
import { handleErrors } from './errors.ts'
import { answerInLanguages } from './language.ts'
import { noLimits } from './limits/limits.ts'
import type { PaceOptions } from './limits/pace.ts'
import { shedOverload } from './overload.ts'

const words = readWords({ product: 'Unspent' })

/** More than the system buffers for a client that does not read. */
const LARGE = Buffer.alloc(16 * 1024 * 1024)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Options {
  maxConnections?: number
  unreadBytes?: number
  trustProxy?: string[]
  pace?: PaceOptions
}

async function listen({
  maxConnections = 100,
  unreadBytes = Infinity,
  trustProxy,
  pace = noLimits.pace,
}: Options = {}) {
  const arrival = { ...arrivalLimits, stallMs: 500 }
  const app: FastifyInstance = fastify({
    serverFactory: connectionLimiter({ arrival, trustProxy: trustProxy ?? false, maxConnections, pace }),
    forceCloseConnections: true,
  })
  const traffic = { atOnce: 0, turnedAway: 0 }
  const pool = { waitingCount: 0 } as pg.Pool
  const inFlight = { connections: maxConnections, calls: Infinity, unreadBytes }
  answerInLanguages(app, words)
  handleErrors(app)
  limitAnswers(app, arrival)
  shedOverload(app, { pool, traffic, inFlight })
  let wholeAnswers = 0
  let cutAnswers = 0
  app.get('/api/large', (_request, reply) => {
    reply.raw.on('close', () => (reply.raw.writableFinished ? wholeAnswers++ : cutAnswers++))
    return reply.send(LARGE)
  })
  let waiting = 0
  const loaded = Promise.withResolvers<Buffer>()
  app.get('/api/loading', () => {
    waiting += 1
    return loaded.promise
  })
  let small = 0
  app.get('/api/small', async () => {
    small += 1
    return 'small'
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  closing.push(() => app.close())
  return {
    url,
    traffic,
    cutAnswers: () => cutAnswers,
    wholeAnswers: () => wholeAnswers,
    waiting: () => waiting,
    server: app.server,
    smallAnswers: () => small,
    openConnections: () => promisify(app.server.getConnections.bind(app.server))(),
    load: () => loaded.resolve(LARGE),
  }
}

async function open(url: string, from?: string): Promise<RawConnection> {
  const connection = await RawConnection.open(url, from)
  closing.push(() => connection.close())
  return connection
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

describe('a connection', () => {
  it('answers only the first of pipelined requests, then closes', async () => {
    const { url } = await listen()
    const heard = await sayRaw(url, get('/api/small').repeat(50))
    expect(heard.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
    expect(heard).toMatch(/\r\n\r\nsmall$/)
  })

  it('serves one request after another', async () => {
    const { url } = await listen()
    const connection = await open(url)
    for (let answered = 1; answered <= 5; answered++) {
      connection.say(get('/api/small'))
      await expect.poll(() => connection.heard.match(/small/g)).toHaveLength(answered)
    }
  })

  it('never gets an error in the middle of an answer', async () => {
    const { url } = await listen()
    const heard = await sayRaw(url, `${get('/api/large')}nonsense\r\n\r\n`)
    expect(heard).not.toContain('400 Bad Request')
  })

  it('is closed if its client does not read its answer, and does not count as load until then', async () => {
    const { url, traffic, cutAnswers } = await listen()
    const connection = await open(url)
    connection.stopReading()
    connection.say(get('/api/large'))
    await expect.poll(cutAnswers).toBe(1)
    expect(traffic.atOnce).toBe(0)
  })

  it('stays open while its client reads, however slowly', async () => {
    const { url, cutAnswers, wholeAnswers } = await listen()
    const response = await fetch(`${url}/api/large`)
    let read = 0
    for await (const chunk of response.body ?? []) {
      read += chunk.length
      if (read % (1024 * 1024) < chunk.length) await new Promise((resolve) => setTimeout(resolve, 60))
    }
    expect([read, cutAnswers(), wholeAnswers()]).toEqual([LARGE.length, 0, 1])
  })
})

describe('an address', () => {
  it('may open a limited number of connections', async () => {
    const { url } = await listen({ maxConnections: 3 })
    const [first] = await Promise.all([open(url), open(url), open(url)])
    const tooMany = await open(url)
    await tooMany.ended
    first.close()
    await expect.poll(() => sayRaw(url, get('/api/small').repeat(2))).toContain('200 OK')
  })

  it('may open any number of connections if it is a trusted proxy', async () => {
    const { url } = await listen({ maxConnections: 1, trustProxy: ['127.0.0.0/8'] })
    await Promise.all([open(url), open(url)])
    expect(await sayRaw(url, get('/api/small').repeat(2))).toContain('200 OK')
  })

  it('gets no more large answers while it does not read the ones it has', async () => {
    const { url, cutAnswers } = await listen({ unreadBytes: 2.5 * LARGE.length })
    for (let sent = 0; sent < 2; sent++) {
      const connection = await open(url)
      connection.stopReading()
      connection.say(get('/api/large'))
    }
    await expect.poll(async () => (await fetch(`${url}/api/large`)).status).toBe(429)
    expect((await fetch(`${url}/api/small`)).status).toBe(200)
    await expect.poll(cutAnswers).toBeGreaterThanOrEqual(2)
    expect((await fetch(`${url}/api/large`)).status).toBe(200)
  })

  it('is not charged for answers whose clients have already left', async () => {
    const { url, traffic, waiting, openConnections, load } = await listen({ unreadBytes: 1.5 * LARGE.length })
    const connection = await open(url)
    connection.say(get('/api/loading'))
    await expect.poll(waiting).toBe(1)
    connection.close()
    await expect.poll(openConnections).toBe(0)
    load()
    await expect.poll(() => traffic.atOnce).toBe(0)
    expect((await fetch(`${url}/api/large`)).status).toBe(200)
  })
})

describe('a flood from one address', () => {
  const flooder = '127.0.0.2'
  /** After its burst, an address waits 4 seconds for each connection and request. */
  const pace = { burst: 20, perSecond: 0.25 }

  /** Opens connections and uses up the burst. */
  async function flood(url: string): Promise<RawConnection[]> {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    const connections = await Promise.all(Array.from({ length: 10 }, () => open(url, flooder)))
    for (const connection of connections) connection.say(get('/api/small'))
    for (const connection of connections) await expect.poll(() => connection.heard).toMatch(/small$/)
    return connections
  }
  const answersOf = ({ heard }: RawConnection) => heard.match(/HTTP\/1\.1 \d+/g)?.join()
  const ok = 'HTTP/1.1 200'

  afterEach(() => {
    vi.useRealTimers()
  })

  it('waits for its turns, while another address is served at once', async () => {
    const { url, smallAnswers } = await listen({ pace })
    const [first, second, third] = (await flood(url)) as [RawConnection, RawConnection, RawConnection]
    for (const connection of [first, second]) {
      connection.say(get('/api/small'))
      await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(connection === first ? 0 : 1)
    }
    for (let served = 1; served <= 5; served++) {
      expect(await sayRaw(url, get('/api/small').repeat(2))).toContain(ok)
      expect(smallAnswers()).toBe(10 + served)
    }
    expect([answersOf(first), answersOf(second)]).toEqual([ok, ok])
    third.say(get('/api/small'))
    await expect.poll(() => answersOf(third)).toBe(`${ok},HTTP/1.1 429`)
    vi.advanceTimersByTime(8_000)
    for (const connection of [first, second]) {
      await expect.poll(() => answersOf(connection)).toBe(`${ok},${ok}`)
    }
    expect(smallAnswers()).toBe(17)
  })

  it('is not read on new connections before their turn', async () => {
    const { url, smallAnswers } = await listen({ pace })
    await flood(url)
    const another = await open(url, flooder)
    another.say(get('/%zz'))
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    expect(await sayRaw(url, get('/api/small').repeat(2))).toContain(ok)
    expect([another.heard, smallAnswers()]).toEqual(['', 11])
    vi.advanceTimersByTime(4_000)
    // Its request waits again.
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(4_000)
    await expect.poll(() => another.heard).toContain('HTTP/1.1 400')
  })

  it('of handshakes is answered like other requests', async () => {
    const { url, server } = await listen({ pace: { burst: 1, perSecond: 0.2 }, trustProxy: ['127.0.0.0/8'] })
    server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    const shake = async () => {
      const connection = await open(url)
      connection.say(
        get('/api/small').replace('\r\n\r\n', '\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
      )
      return connection
    }
    const first = await shake()
    await expect.poll(() => answersOf(first)).toBe('HTTP/1.1 101')
    const second = await shake()
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(5_000)
    await expect.poll(() => answersOf(second)).toBe(ok)
  })

  it('has no turn for a request whose client has left', async () => {
    const { url, smallAnswers, openConnections } = await listen({ pace })
    const connections = await flood(url)
    connections[0]?.say(get('/api/small'))
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    for (const connection of connections) connection.close()
    await expect.poll(openConnections).toBe(0)
    expect([vi.getTimerCount(), smallAnswers()]).toEqual([0, 10])
  })

  it('behind a trusted proxy is counted by the address that the proxy reports', async () => {
    const { url } = await listen({ pace: { ...pace, perSecond: 0.01 }, trustProxy: ['127.0.0.0/8'] })
    const ask = async (from: string) =>
      (await fetch(`${url}/api/small`, { headers: { 'x-forwarded-for': from } })).status
    for (let asked = 0; asked < pace.burst; asked++) expect(await ask('198.51.100.1')).toBe(200)
    expect(await ask('198.51.100.1')).toBe(429)
    expect(await ask('203.0.113.9, 198.51.100.1')).toBe(429)
    for (let asked = 0; asked < pace.burst; asked++) expect(await ask('198.51.100.2')).toBe(200)
  })
})
