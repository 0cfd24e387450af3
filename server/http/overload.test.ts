import fastify, { type FastifyInstance } from 'fastify'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handleErrors } from './errors.ts'
import { shedOverload, type Traffic } from './overload.ts'

let app: FastifyInstance
let pool: { waitingCount: number }
let traffic: Traffic
/** Lets the calls end that were begun. */
let finish: () => void
beforeEach(async () => {
  app = fastify()
  pool = { waitingCount: 0 }
  traffic = { atOnce: 0, turnedAway: 0 }
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  handleErrors(app)
  shedOverload(app, pool as pg.Pool, traffic)
  app.get('/api/slow', async () => {
    await done
    return 'done'
  })
  app.get('/api/quick', async () => 'done')
  app.get('/healthz', async () => 'alive')
  await app.ready()
})
afterEach(() => app.close())

async function expectTurnedAway(url: string): Promise<void> {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({ code: 'busy', message: expect.stringContaining('Too many people') })
  expect(answer.headers['retry-after']).toBe('5')
}

describe('too much to do', () => {
  it('turns calls away while many wait for the database, and answers all else', async () => {
    pool.waitingCount = 200
    expect((await app.inject('/api/quick')).statusCode).toBe(200)
    pool.waitingCount = 201
    await expectTurnedAway('/api/quick')
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    expect(traffic).toEqual({ atOnce: 0, turnedAway: 1 })
    pool.waitingCount = 0
    expect((await app.inject('/api/quick')).statusCode).toBe(200)
  })

  it('turns the next call away while a thousand are begun, and none once they are answered', async () => {
    const begun = Array.from({ length: 1000 }, () => app.inject('/api/slow'))
    await expect.poll(() => traffic.atOnce).toBe(1000)
    await expectTurnedAway('/api/quick')
    expect((await app.inject('/healthz')).statusCode).toBe(200)

    finish()
    const answers = await Promise.all(begun)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(traffic).toEqual({ atOnce: 0, turnedAway: 1 })
    expect((await app.inject('/api/quick')).statusCode).toBe(200)
  })
})
