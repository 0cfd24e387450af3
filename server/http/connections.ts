import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import type { ArrivalLimits } from './arrival.ts'
import { InFlight } from './limits/in-flight.ts'
import { networkOf } from './limits/network.ts'

/** Fastify's own default. */
const KEEP_ALIVE_MS = 72_000

interface ConnectionOptions {
  readonly arrival: ArrivalLimits
  readonly trustProxy: false | readonly string[]
  /** Connections that one address may have open. */
  readonly maxConnections: number
}

/**
 * Makes the HTTP server of the app. Each connection has one request in flight. No browser and no common proxy pipelines
 * requests, so a pipelined one is dropped, and its connection ends after the current answer: RFC 9112, section 9.3.2, has
 * clients repeat what was not answered. An address may have `maxConnections`; a trusted proxy, which speaks for
 * everybody, may have any number.
 */
export function connectionLimiter({
  arrival,
  trustProxy,
  maxConnections,
}: ConnectionOptions): FastifyServerFactory {
  const connections = new InFlight(maxConnections)
  const isProxy = proxyMatcher(trustProxy)
  const hasConnection = (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(address)) return
    const network = networkOf(address)
    if (!connections.take(network)) return void socket.destroy()
    socket.once('close', () => connections.give(network))
  }
  return (handle) => {
    const { headersMs, requestMs } = arrival
    const options = {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(5_000, headersMs),
      // A client that offers HTTP/2 (h2c) is answered in HTTP/1.1: RFC 9110, section 7.8.
      shouldUpgradeCallback: isWebSocket,
    }
    const server = createServer(options, (request, response) => {
      if (isPipelined(request.socket, response)) return
      handle(request, response)
    })
    return server.on('connection', hasConnection)
  }
}

/** The answer that each connection is waiting for. */
const answers = new WeakMap<Socket, ServerResponse>()
const ending = new WeakSet<Socket>()

/** Whether the bytes read last belong to a pipelined request, or arrived after the current answer began. */
export function isAnswering(socket: Socket): boolean {
  const current = answers.get(socket)
  return current !== undefined && (current.req.complete || current.headersSent)
}

const isWebSocket = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'

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

function proxyMatcher(trustProxy: false | readonly string[]): (address: string) => boolean {
  const proxies = new BlockList()
  for (const block of trustProxy || []) {
    const [address = '', bits] = block.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (address) => address !== '' && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Bytes of an unwanted body that are read on, so that its sender reads the answer instead of a reset connection. */
const DRAIN_BYTES = 32 * 1024 * 1024
const DRAIN_CHECK_MS = 250

/**
 * Cuts a reader that takes nothing of its answer for `stallMs`, and a sender that still sends its body `drainMs` after the
 * answer.
 */
export function limitAnswers(app: FastifyInstance, { stallMs, drainMs }: ArrivalLimits): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    // Node asks whether anything was written meanwhile before it calls that idle.
    raw.socket.setTimeout?.(stallMs)
    if (raw.complete === false && !raw.destroyed && reply.statusCode !== 408) {
      // A connection that is closed with bytes unread is reset, and takes the answer with it.
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
  const [begun, bytesBefore] = [Date.now(), socket.bytesRead]
  const timer = setInterval(
    () => {
      if (raw.complete || socket.destroyed) return clearInterval(timer)
      if (Date.now() - begun > drainMs || socket.bytesRead - bytesBefore > DRAIN_BYTES) socket.destroy()
    },
    Math.min(DRAIN_CHECK_MS, drainMs),
  )
}
