import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Refusal } from './refusal.ts'

/** Requests that one process has begun and not answered: some seconds of work at the most. */
const MAX_AT_ONCE = 1_000
/** Requests of one process that wait for a connection to the database. */
const MAX_WAITING = 200
const RETRY_SECONDS = 5

/**
 * Turns calls away while there is more to do than can be done: a clear "come again" now is worth more than an answer
 * after whoever asked has gone, and what has been begun needs memory. Pages and `/healthz` are answered all the same.
 */
export function shedOverload(app: FastifyInstance, pool: pg.Pool): void {
  let atOnce = 0
  app.addHook('onRequest', async ({ url, headers }, reply) => {
    // A socket is a request that goes on for hours.
    if (headers.upgrade) return
    atOnce += 1
    // Both, as a client may be gone before its answer is.
    const over = once(() => {
      atOnce -= 1
    })
    reply.raw.on('finish', over).on('close', over)
    if (url.startsWith('/api/') && (atOnce > MAX_AT_ONCE || pool.waitingCount > MAX_WAITING)) throw tooMuch()
  })
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

function tooMuch(): Refusal {
  return new Refusal('busy', 'Too many people are here at once. Please try again in a moment.', {
    retryAfter: RETRY_SECONDS,
  })
}
