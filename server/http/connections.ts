import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import proxyAddr, { compile } from '@fastify/proxy-addr'
import type { ConnectionError, FastifyInstance, FastifyServerFactory } from 'fastify'
import type { ErrorBody } from '#contract/errors.ts'
import type { ArrivalLimits } from './arrival.ts'
import { InFlight } from './limits/in-flight.ts'
import { networkOf } from './limits/network.ts'
import { Pace, type PaceOptions } from './limits/pace.ts'

/** Fastify's own default. */
const KEEP_ALIVE_MS = 72_000
/** A request that would wait longer for its turn is refused. Only a client behind a proxy can have that many. */
const MAX_TURN_MS = 10_000

interface ConnectionOptions {
  readonly arrival: ArrivalLimits
  readonly trustProxy: false | readonly string[]
  /** Connections that one address may have open. A trusted proxy, which serves everyone, has no limit. */
  readonly maxConnections: number
  /** The pace of one address, also behind a trusted proxy. */
  readonly pace: PaceOptions
}

/**
 * Makes the HTTP server of the app, with a limit of connections per address and one request at a time on each. No browser
 * and no common proxy pipelines requests, so a pipelined one is dropped, and its connection ends after the current answer:
 * RFC 9112, section 9.3.2, makes clients repeat what was not answered.
 *
 * New connections and requests above an address's pace wait before they are read. Refusing a request costs as much as
 * answering most of them, so a flood of refusals would slow everyone down; one that waits costs almost nothing.
 */
export function connectionLimiter({
  arrival,
  trustProxy,
  maxConnections,
  pace,
}: ConnectionOptions): FastifyServerFactory {
  const connections = new InFlight(maxConnections)
  const turns = new Pace(pace)
  const isProxy = compile([...(trustProxy || [])])
  const clientOf = (request: IncomingMessage) => networkOf(proxyAddr(request, isProxy))
  const countConnection = (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress !== undefined && isProxy(remoteAddress, 0)) return
    const network = networkOf(remoteAddress)
    const waitMs = turns.take(network, MAX_TURN_MS)
    if (waitMs === undefined || !connections.take(network)) return void socket.destroy()
    socket.once('close', () => connections.give(network))
    if (waitMs === 0) return
    socket.pause()
    const turn = setTimeout(() => socket.resume(), waitMs)
    socket.once('close', () => clearTimeout(turn))
  }
  return (handle) => {
    const { headersMs, requestMs } = arrival
    const options = {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(5_000, headersMs),
      // A client that offers HTTP/2 (h2c) is answered in HTTP/1.1: RFC 9110, section 7.8. So is a handshake out of turn.
      shouldUpgradeCallback: (request: IncomingMessage) =>
        request.headers.upgrade?.toLowerCase() === 'websocket' &&
        turns.take(clientOf(request), 0) !== undefined,
    }
    const server = createServer(options, (request, response) => {
      if (isPipelined(request.socket, response)) return
      const waitMs = turns.take(clientOf(request), MAX_TURN_MS)
      if (waitMs === undefined) return refuseFlood(response)
      if (waitMs === 0) return handle(request, response)
      const turn = setTimeout(handle, waitMs, request, response)
      response.once('close', () => clearTimeout(turn))
    })
    return server.on('connection', countConnection)
  }
}

/** The answer that each connection is waiting for. */
const answers = new WeakMap<Socket, ServerResponse>()
const ending = new WeakSet<Socket>()

function isPipelined(socket: Socket, response: ServerResponse): boolean {
  const current = answers.get(socket)
  if (!current) {
    answers.set(socket, response)
    response.once('finish', () => answers.delete(socket))
    return false
  }
  if (!ending.has(socket)) {
    ending.add(socket)
    socket.pause()
    current.once('finish', () => socket.destroySoon())
  }
  return true
}

/** Skips the app, whose refusals cost as much as answers. */
function refuseFlood(response: ServerResponse): void {
  const body: ErrorBody = {
    message: 'Too many requests. Please wait a moment and try again.',
    code: 'too_many_requests',
  }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(MAX_TURN_MS / 1000),
  }
  response.writeHead(429, headers).end(JSON.stringify(body))
}

/**
 * Answers bytes that never became a request like every other refusal, and hangs up. Fastify's default does not use our
 * error body, and writes into the middle of an answer.
 */
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
  // The answer to a HEAD request has no body.
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
  if (socket.writable && !isAnswering(socket as Socket)) {
    socket.write(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`)
  }
  socket.destroy()
}

const UNREAD: Readonly<Record<string, [status: string, body: ErrorBody]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    { message: 'The request took too long to arrive', code: 'too_slow' },
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    { message: 'The headers of the request are too large', code: 'invalid' },
  ],
}
const NOT_HTTP: (typeof UNREAD)[string] = [
  '400 Bad Request',
  { message: 'The request is not valid', code: 'invalid' },
]

/** Whether the last bytes are a pipelined request, or arrived after the current answer began. */
function isAnswering(socket: Socket): boolean {
  const current = answers.get(socket)
  return current !== undefined && (current.req.complete || current.headersSent)
}

/** Bytes of a refused body that are still read: a connection closed earlier is reset and loses the answer. */
const DRAIN_BYTES = 32 * 1024 * 1024
const DRAIN_CHECK_MS = 250

/**
 * Disconnects a client that does not read its answer for `stallMs`, or still sends its body `drainMs` after the answer.
 */
export function limitAnswers(app: FastifyInstance, { stallMs, drainMs }: ArrivalLimits): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    // A connection is not idle while Node can write to it.
    raw.socket.setTimeout?.(stallMs)
    if (raw.complete === false && !raw.destroyed && reply.statusCode !== 408) {
      reply.removeHeader('connection')
      reply.raw.once('finish', () => {
        raw.unpipe().resume()
        cutAfterDrain(raw, drainMs)
      })
    }
    done(null, payload)
  })
}

function cutAfterDrain(raw: IncomingMessage, drainMs: number): void {
  const { socket } = raw
  const [startedAt, bytesBefore] = [Date.now(), socket.bytesRead]
  const timer = setInterval(
    () => {
      if (raw.complete || socket.destroyed) return clearInterval(timer)
      if (Date.now() - startedAt > drainMs || socket.bytesRead - bytesBefore > DRAIN_BYTES) socket.destroy()
    },
    Math.min(DRAIN_CHECK_MS, drainMs),
  )
}
