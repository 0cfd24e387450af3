import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import { trace } from '#server/platform/trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code it was refused with. */
    refusedAs?: ErrorCode
  }
}

export const REQUEST_ID_HEADER = 'x-request-id'

/** Called for each answer after it was sent. */
export type Observe = (request: FastifyRequest, reply: FastifyReply) => void

/** Sends the request's id with each answer, names it to what runs for the request, and logs one line per answer. */
export function traceRequests(app: FastifyInstance, observe?: Observe): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    trace.run({ requestId: request.id }, done)
  })
  const verbose = ['debug', 'trace'].includes(app.log.level)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, log, refusedAs: code } = request
    const level = levelOf(method, reply.statusCode)
    if (level !== 'debug' || verbose) {
      const { statusCode: status, elapsedTime } = reply
      log[level]({ method, route: routeOptions.url, status, code, ms: Math.round(elapsedTime) }, 'answered')
    }
    observe?.(request, reply)
    done()
  })
}

/** Operators look for failures and changes, not for reads. */
function levelOf(method: string, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn'
  return method === 'GET' ? 'debug' : 'info'
}
