import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { InFlight } from './limits/in-flight.ts'
import type { InFlightLimits } from './limits/limits.ts'
import { networkOf } from './limits/network.ts'
import { Refusal } from './refusal.ts'
import { clientOf } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Stops counting the call. Unset once it is no longer counted. */
    leave?: () => void
    /** Its handler has started, so it counts in `Traffic.atOnce`. */
    isHandled?: boolean
  }
}

/** Handlers running at the same time in one process: a few seconds of work at most. */
const MAX_AT_ONCE = 1_000
/** Queries of one process that wait for a database connection. */
const MAX_WAITING = 200
const RETRY_SECONDS = 5
/** Smaller unread answers are not counted: a connection has at most one. */
const SMALL_ANSWER_BYTES = 16 * 1024

/** The load of one process. */
export interface Traffic {
  /** Calls whose handlers are running, excluding those whose bodies are still arriving. */
  atOnce: number
  /** Calls refused because of overload since the start. */
  turnedAway: number
}

interface OverloadOptions {
  readonly pool: pg.Pool
  readonly traffic: Traffic
  readonly inFlight: InFlightLimits
}

/**
 * Refuses calls while the process is overloaded, and calls of clients with too much in flight. @fastify/under-pressure
 * samples the event loop and memory; it counts neither handlers, nor waiting queries, nor clients. Documents, `/healthz`
 * and `/readyz` are answered from memory and not counted.
 */
export function shedOverload(app: FastifyInstance, { pool, traffic, inFlight }: OverloadOptions): void {
  const calls = new InFlight(inFlight.calls)
  const unread = new InFlight(inFlight.unreadBytes)

  const isFull = () => traffic.atOnce >= MAX_AT_ONCE
  const turnAway = () => {
    traffic.turnedAway += 1
    return overloaded()
  }

  app.addHook('onRequest', (request, reply, done) => {
    // The matched route, because the same address can be written in many ways.
    if (!isCall(request.routeOptions.url)) return done()
    if (isFull() || pool.waitingCount > MAX_WAITING) throw turnAway()
    const network = networkOf(request.ip)
    if (!calls.take(network)) throw tooManyAtOnce()
    request.leave = () => {
      delete request.leave
      if (request.isHandled) traffic.atOnce -= 1
      calls.give(network)
    }
    // A running handler still counts after its client has left.
    reply.raw.on('close', () => request.isHandled || request.leave?.())
    done()
  })

  function countUnread(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const bytes = Buffer.isBuffer(payload) || typeof payload === 'string' ? payload.length : 0
    // If the client has left, no `close` will follow to end the count.
    if (bytes < SMALL_ANSWER_BYTES || reply.raw.destroyed) return
    const client = clientOf(request)
    if (!unread.take(client, bytes)) throw tooManyAtOnce()
    reply.raw.once('close', () => unread.give(client, bytes))
  }

  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.leave) return done()
    // Other handlers may have started while the body arrived.
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

function overloaded(): Refusal {
  return new Refusal('busy', 'refusals.crowded', { retryAfter: RETRY_SECONDS })
}

function tooManyAtOnce(): Refusal {
  return new Refusal('too_many_requests', 'refusals.too_many_at_once', { retryAfter: RETRY_SECONDS })
}
