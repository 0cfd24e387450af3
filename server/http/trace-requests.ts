import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import { type Step, startTrace, type Trace, trace } from '#server/platform/trace.ts'

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
    // A socket stays open for hours.
    const started = request.headers.upgrade
      ? { requestId: request.id }
      : startTrace(request.id, () => stepOf(request))
    if (started.span) reply.raw.once('close', () => endSpan(started, request, reply))
    trace.run(started, done)
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

/** Neither the address nor its query: both may have secrets. */
function stepOf({ id, method, routeOptions: { url } }: FastifyRequest): Step {
  const route = url && { 'http.route': url }
  const attributes = { 'http.request.method': method, 'unspent.request_id': id, ...route }
  return { name: url ? `${method} ${url}` : method, kind: 'server', attributes }
}

function endSpan({ span }: Trace, { refusedAs }: FastifyRequest, { statusCode }: FastifyReply): void {
  const failed = statusCode >= 500 ? { code: refusedAs ?? String(statusCode) } : undefined
  span?.end({ 'http.response.status_code': statusCode }, failed)
}

/** Operators look for failures and changes, not for reads. */
function levelOf(method: string, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn'
  return method === 'GET' ? 'debug' : 'info'
}
