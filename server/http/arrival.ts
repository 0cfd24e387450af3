import type { Socket } from 'node:net'
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import type { ConnectionError, FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorBody } from '#contract/errors.ts'
import { isAnswering } from './connections.ts'
import { Refusal } from './refusal.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** As `ArrivalLimits` has it, for those who read a stream. */
    stallMs: number
  }
}

/** How long a request may take to arrive. */
export interface ArrivalLimits {
  /** All of its headers. */
  readonly headersMs: number
  /** A JSON body, from its headers on. */
  readonly jsonMs: number
  /** Everything: ten photos over a slow phone line. */
  readonly requestMs: number
  /**
   * The window in which a streamed body must bring `MIN_BYTES_PER_SECOND` on average, and a reader take some of its
   * answer.
   */
  readonly stallMs: number
  /** How long the rest of a body that nobody wants is read after the answer. */
  readonly drainMs: number
}
export const arrivalLimits: ArrivalLimits = {
  headersMs: 15_000,
  jsonMs: 15_000,
  requestMs: 10 * 60_000,
  stallMs: 30_000,
  drainMs: 30_000,
}

/** Ends JSON that arrives too slowly. */
export function limitArrival(app: FastifyInstance, { jsonMs, stallMs }: ArrivalLimits): void {
  app.decorate('stallMs', stallMs)
  app.addHook('preParsing', (request, _reply, body, done) => {
    done(null, carriesJson(request) ? inTime(body, jsonMs) : body)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode === 408) reply.header('connection', 'close')
    done(null, payload)
  })
}

function carriesJson({ method, headers }: FastifyRequest): boolean {
  return (
    method !== 'GET' && method !== 'HEAD' && (headers['content-type'] ?? '').startsWith('application/json')
  )
}

function inTime(body: Readable, limitMs: number): Readable {
  const arriving = new PassThrough()
  // Made when it is needed: an error that notes where it came from is dear.
  const late = () => new Refusal('too_slow', 'The request took too long to arrive')
  const timer = setTimeout(() => arriving.destroy(late()), limitMs)
  // Nobody listens any more once the body was refused for its length.
  arriving.on('error', () => {})
  arriving.on('close', () => {
    clearTimeout(timer)
    body.unpipe(arriving)
  })
  body.on('error', (error) => arriving.destroy(error))
  return body.pipe(arriving)
}

const UNREAD: Readonly<Record<string, [status: string, body: ErrorBody]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    { message: 'The request took too long to arrive', code: 'too_slow' },
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    { message: 'The request has too large headers', code: 'invalid' },
  ],
}
const NOT_HTTP: (typeof UNREAD)[string] = [
  '400 Bad Request',
  { message: 'The request is not valid', code: 'invalid' },
]

/** Answers what never became a request, in the form of every other refusal, and hangs up. */
export function refuseUnread({ code, rawPacket }: ConnectionError, socket: Duplex): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const [status, error] = UNREAD[code] ?? NOT_HTTP
  const body = JSON.stringify(error)
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  // Whoever asks for the head alone takes a body for the beginning of another answer.
  const wanted = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD ' ? '' : body
  // In the middle of another answer these bytes would be read as a part of it.
  if (socket.writable && !isAnswering(socket as Socket)) socket.write(`${head.join('\r\n')}\r\n\r\n${wanted}`)
  socket.destroy()
}
