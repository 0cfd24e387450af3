import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { InFlight } from './limits/in-flight.ts'
import type { InFlightLimits } from './limits/limits.ts'
import { networkOf } from './limits/network.ts'
import { Refusal } from './refusal.ts'
import { clientOf } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the count of a call in flight. */
    leave?: () => void
    /** Its handler was called, so it counts in `Traffic.atOnce`. */
    isHandled?: boolean
  }
}

/** Calls of one process whose handlers are at work: a few seconds of work at most. */
const MAX_AT_ONCE = 1_000
/** Requests of one process that wait for a connection to the database. */
const MAX_WAITING = 200
const RETRY_SECONDS = 5
/** Smaller answers are not counted: there is one for each connection at most. */
const SMALL_ANSWER_BYTES = 16 * 1024

/** What one process has at hand. */
export interface Traffic {
  /** Calls whose handlers are at work. A call whose body is still arriving is not one of them. */
  atOnce: number
  /** Calls that were turned away since the start. */
  turnedAway: number
}

interface OverloadOptions {
  readonly pool: pg.Pool
  readonly traffic: Traffic
  readonly inFlight: InFlightLimits
}

/**
 * Turns calls away while there is more to do than can be done: a clear "come again" now is worth more than an answer after
 * the client has gone. A call counts while its handler works, however slowly the client sends or reads. Also bounds what
 * one client has in flight, including calls whose bodies are still arriving. Pages, `/healthz` and `/readyz` are answered
 * from memory and don't count.
 */
export function shedOverload(app: FastifyInstance, { pool, traffic, inFlight }: OverloadOptions): void {
  const calls = new InFlight(inFlight.calls)
  const unread = new InFlight(inFlight.unreadBytes)

  const isFull = () => traffic.atOnce >= MAX_AT_ONCE
  const turnAway = () => {
    traffic.turnedAway += 1
    return tooMuch()
  }

  // A throw is a refusal, as in a handler.
  app.addHook('onRequest', (request, reply, done) => {
    // By the matched route: an address can be written in many ways.
    if (!isCall(request.routeOptions.url)) return done()
    if (isFull() || pool.waitingCount > MAX_WAITING) throw turnAway()
    const network = networkOf(request.ip)
    if (!calls.take(network)) throw tooManyAtOnce()
    request.leave = () => {
      delete request.leave
      if (request.isHandled) traffic.atOnce -= 1
      calls.give(network)
    }
    // A client that is gone does not end the work that was begun for it.
    reply.raw.on('close', () => request.isHandled || request.leave?.())
    done()
  })

  function countUnread(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const bytes = Buffer.isBuffer(payload) || typeof payload === 'string' ? payload.length : 0
    // The connection of a client that has left is closed already: nothing would end the count.
    if (bytes < SMALL_ANSWER_BYTES || reply.raw.destroyed) return
    const client = clientOf(request)
    if (!unread.take(client, bytes)) throw tooManyAtOnce()
    reply.raw.once('close', () => unread.give(client, bytes))
  }

  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.leave) return done()
    // Others may have begun while the body arrived.
    if (isFull()) throw turnAway()
    request.isHandled = true
    traffic.atOnce += 1
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.leave) return done(null, payload)
    request.leave()
    countUnread(request, reply, payload)
    done(null, payload)
  })
}

const isCall = (route = ''): boolean => route.startsWith('/api/') || route.startsWith('/uploads/')

function tooMuch(): Refusal {
  return new Refusal('busy', 'Too many people are here at once. Please try again in a moment.', {
    retryAfter: RETRY_SECONDS,
  })
}

function tooManyAtOnce(): Refusal {
  return new Refusal('too_many_requests', 'Too many requests at once. Please wait a moment and try again.', {
    retryAfter: RETRY_SECONDS,
  })
}
