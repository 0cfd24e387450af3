import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Refusal } from './refusal.ts'

/** A process whose turns come this late has more to do than it can. Milliseconds, the mean of a second. */
const LATE_MS = 3_000
/** Requests of one process that wait for a connection to the database: some seconds of work at the most. */
const MAX_WAITING = 200
const RETRY_SECONDS = 5

/**
 * Turns requests away while there is more to do than can be done: a clear "come again" now is worth more than an
 * answer after whoever asked has gone. Whether the process lives is answered all the same.
 */
export async function shedOverload(app: FastifyInstance, pool: pg.Pool): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: LATE_MS,
    pressureHandler: (request) => {
      if (request.url !== '/healthz') throw tooMuch()
    },
  })
  app.addHook('onRequest', async ({ url }) => {
    if (pool.waitingCount > MAX_WAITING && url.startsWith('/api/')) throw tooMuch()
  })
}

function tooMuch(): Refusal {
  return new Refusal('busy', 'Too many people are here at once. Please try again in a moment.', {
    retryAfter: RETRY_SECONDS,
  })
}
