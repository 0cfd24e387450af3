import { Readable } from 'node:stream'
import fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { handleErrors } from './errors.ts'
import { answerInLanguages } from './language.ts'
import { noLimits } from './limits/limits.ts'
import { shedOverload, type Traffic } from './overload.ts'

const words = readWords({ product: 'Unspent' })

let app: FastifyInstance
let pool: { waitingCount: number }
let traffic: Traffic
/** Finishes the started calls. */
let finish: () => void
beforeEach(async () => {
  app = fastify()
  pool = { waitingCount: 0 }
  traffic = { atOnce: 0, turnedAway: 0 }
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  answerInLanguages(app, words)
  handleErrors(app)
  shedOverload(app, { pool: pool as pg.Pool, traffic, inFlight: { ...noLimits.inFlight, calls: 1500 } })
  app.get('/api/slow', async () => {
    await done
    return 'done'
  })
  app.get('/api/quick', async () => 'done')
  app.post('/api/slow', async () => {
    await done
    return 'done'
  })
  app.get('/healthz', async () => 'alive')
  await app.ready()
})
afterEach(() => app.close())

async function expectRefused(url: string): Promise<void> {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({ code: 'busy', message: expect.stringContaining('Too many people') })
  expect(answer.headers['retry-after']).toBe('5')
}

describe('overload', () => {
  it('refuses calls while many queries wait for the database, and answers everything else', async () => {
    pool.waitingCount = 200
    expect((await app.inject('/api/quick')).statusCode).toBe(200)
    pool.waitingCount = 201
    await expectRefused('/api/quick')
    await expectRefused('/%61pi/quick')
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    expect(traffic).toEqual({ atOnce: 0, turnedAway: 2 })
    pool.waitingCount = 0
    expect((await app.inject('/api/quick')).statusCode).toBe(200)
  })

  it('refuses calls while a thousand are running', async () => {
    const begun = Array.from({ length: 1000 }, () => app.inject('/api/slow'))
    await expect.poll(() => traffic.atOnce).toBe(1000)
    await expectRefused('/api/quick')
    expect((await app.inject('/healthz')).statusCode).toBe(200)

    finish()
    const answers = await Promise.all(begun)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(traffic).toEqual({ atOnce: 0, turnedAway: 1 })
    expect((await app.inject('/api/quick')).statusCode).toBe(200)
  })

  it('does not count calls whose bodies are still arriving', async () => {
    const bodies = Array.from({ length: 1001 }, () => new Readable({ read: () => {} }))
    const headers = { 'content-type': 'application/json' }
    const begun = bodies.map((payload) => app.inject({ method: 'POST', url: '/api/slow', headers, payload }))
    for (const body of bodies) body.push('{')
    const arriving = () => bodies.filter((body) => body.readableLength === 0).length
    await expect.poll(arriving).toBeGreaterThanOrEqual(1000)
    expect(traffic.atOnce).toBe(0)
    expect((await app.inject('/api/quick')).statusCode).toBe(200)

    for (const body of bodies) {
      body.push('}')
      body.push(null)
    }
    await expect.poll(() => traffic).toEqual({ atOnce: 1000, turnedAway: 1 })
    finish()
    const statuses = (await Promise.all(begun)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1000)
    expect(statuses.filter((status) => status === 503)).toHaveLength(1)
    expect(traffic.atOnce).toBe(0)
  })

  it('refuses only the address that has too many calls in flight', async () => {
    await app.close()
    app = fastify()
    answerInLanguages(app, words)
    handleErrors(app)
    shedOverload(app, { pool: pool as pg.Pool, traffic, inFlight: { ...noLimits.inFlight, calls: 10 } })
    const done = Promise.withResolvers<string>()
    app.get('/api/slow', () => done.promise)
    app.get('/api/quick', async () => 'done')
    const begun = Array.from({ length: 10 }, () => app.inject('/api/slow'))
    await expect.poll(() => traffic.atOnce).toBe(10)
    const refused = await app.inject('/api/quick')
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
    const other = await app.inject({ url: '/api/quick', remoteAddress: '192.0.2.1' })
    expect(other.statusCode).toBe(200)
    done.resolve('done')
    await Promise.all(begun)
    expect((await app.inject('/api/quick')).statusCode).toBe(200)
    expect(traffic.atOnce).toBe(0)
  })
})
