import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code that it was refused with. */
    refusedAs?: ErrorCode
  }
}

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
    const { method, routeOptions, log, refusedAs: code } = request
    const level = levelOf(method, reply.statusCode)
    if (level !== 'debug' || verbose) {
      const { statusCode: status, elapsedTime } = reply
      log[level]({ method, route: routeOptions.url, status, code, ms: Math.round(elapsedTime) }, 'answered')
    }
    done()
  })
}

/** What broke, or changed something, is what somebody looks for. */
function levelOf(method: string, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn'
  return method === 'GET' ? 'debug' : 'info'
}

/** Is told of each answer once it was sent. */
export type Observe = (request: FastifyRequest, reply: FastifyReply) => void

export function observeAnswers(app: FastifyInstance, observe: Observe): void {
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply)
    done()
  })
}
