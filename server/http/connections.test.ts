import { promisify } from 'node:util'
import fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { RawConnection, sayRaw } from '#test/raw-request.ts'
import { readWords } from '#words/catalogs.ts'
import { arrivalLimits } from './arrival.ts'
import { connectionLimiter, limitAnswers } from './connections.ts'
import { handleErrors } from './errors.ts'
import { answerInLanguages } from './language.ts'
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
}

async function listen({ maxConnections = 100, unreadBytes = Infinity, trustProxy }: Options = {}) {
  const arrival = { ...arrivalLimits, stallMs: 500 }
  const app: FastifyInstance = fastify({
    serverFactory: connectionLimiter({ arrival, trustProxy: trustProxy ?? false, maxConnections }),
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
  app.get('/api/small', async () => 'small')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  closing.push(() => app.close())
  return {
    url,
    traffic,
    cutAnswers: () => cutAnswers,
    wholeAnswers: () => wholeAnswers,
    waiting: () => waiting,
    openConnections: () => promisify(app.server.getConnections.bind(app.server))(),
    load: () => loaded.resolve(LARGE),
  }
}

async function open(url: string): Promise<RawConnection> {
  const connection = await RawConnection.open(url)
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
