import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

export const REQUEST_ID_HEADER = 'x-request-id'

/** Names a request in the log and in its answer. What a client would call it doesn't count: it could forge lines. */
export const newRequestId = (): string => randomUUID()

/** Sends each answer with its id, and logs one line for it. */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })
  const verbose = ['debug', 'trace'].includes(app.log.level)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, log } = request
    // What changed something, or broke, is what somebody looks for.
    const write = method !== 'GET' || reply.statusCode >= 500 ? 'info' : 'debug'
    if (write === 'info' || verbose) {
      log[write](
        { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'answered',
      )
    }
    done()
  })
}
