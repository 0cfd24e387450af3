import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Refusal } from './refusal.ts'

/** Requests that one process has begun and not answered: some seconds of work at the most. */
const MAX_AT_ONCE = 1_000
/** Requests of one process that wait for a connection to the database. */
const MAX_WAITING = 200
const RETRY_SECONDS = 5

/** What one process has at hand. */
export interface Traffic {
  /** Calls that were begun and are not answered. */
  atOnce: number
  /** Calls that were turned away since the start. */
  turnedAway: number
}

/**
 * Turns calls away while there is more to do than can be done: a clear "come again" now is worth more than an answer
 * after whoever asked has gone, and what has been begun needs memory. Pages and `/healthz` are answered all the same, and
 * don't count: they come from memory, and whoever reads them slowly takes nobody's place.
 */
export function shedOverload(app: FastifyInstance, pool: pg.Pool, traffic: Traffic): void {
  const over = () => {
    traffic.atOnce -= 1
  }
  // A throw is a refusal, as in a handler.
  app.addHook('onRequest', ({ url }, reply, done) => {
    if (!url.startsWith('/api/')) return done()
    traffic.atOnce += 1
    // Comes once, after the answer or when the client is gone before it.
    reply.raw.on('close', over)
    if (traffic.atOnce <= MAX_AT_ONCE && pool.waitingCount <= MAX_WAITING) return done()
    traffic.turnedAway += 1
    throw tooMuch()
  })
}

function tooMuch(): Refusal {
  return new Refusal('busy', 'Too many people are here at once. Please try again in a moment.', {
    retryAfter: RETRY_SECONDS,
  })
}
