import { isUtf8 } from 'node:buffer'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** How long a request may take to arrive. */
export const arrivalLimits = {
  /** All of its headers. */
  headersMs: 15_000,
  /** A JSON body, from its headers on. */
  jsonMs: 15_000,
  /** Everything: ten photos over a slow phone line. */
  requestMs: 10 * 60_000,
  /**
   * The window over which an upload must average `MIN_BYTES_PER_SECOND`, and in which a client must read some of its
   * answer.
   */
  stallMs: 30_000,
  /** How long the rest of a refused body is still read after the answer. */
  drainMs: 30_000,
}
export type ArrivalLimits = Readonly<typeof arrivalLimits>

declare module 'fastify' {
  interface FastifyInstance {
    /** As in `ArrivalLimits`, for `watchUpload`. */
    stallMs: number
  }
}

/**
 * Reads bodies as JSON, within `jsonMs`: Fastify has one time limit for all requests, and photos take longer. Multipart
 * bodies are parsed where their files are read.
 */
export function readJsonBodies(app: FastifyInstance, { jsonMs, stallMs }: ArrivalLimits): void {
  app.decorate('stallMs', stallMs)
  app.removeAllContentTypeParsers()
  parseJson(app)
  app.addHook('preParsing', (request, _reply, body, done) => {
    done(null, carriesJson(request) ? inTime(body, jsonMs) : body)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode === 408) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** @param keep gets the text of each body, for signatures */
export function parseJson(
  app: FastifyInstance,
  keep?: (request: FastifyRequest, text: string) => void,
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Decoding would replace bytes that are not UTF-8, so we would store something other than what was sent.
    if (!isUtf8(body)) return done(new Refusal('invalid', 'refusals.not_utf8'))
    const text = body.toString()
    keep?.(request, text)
    parse(request, text, (error, value) => {
      if (!isDeeper(value, MAX_JSON_DEPTH)) return done(error, value)
      done(new Refusal('invalid', 'refusals.too_deep'))
    })
  })
}

/** Our forms have two levels. Deeper ones try to exhaust the code that walks through them. */
export const MAX_JSON_DEPTH = 16

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

function carriesJson({ method, headers }: FastifyRequest): boolean {
  return (
    method !== 'GET' && method !== 'HEAD' && (headers['content-type'] ?? '').startsWith('application/json')
  )
}

/** The body, which fails with `too_slow` if it has not arrived in time. */
function inTime(body: Readable, limitMs: number): Readable {
  const arriving = new PassThrough()
  const refuse = () => arriving.destroy(new Refusal('too_slow', 'refusals.too_slow'))
  const timer = setTimeout(refuse, limitMs)
  // Fastify no longer listens after it has refused the body for its length.
  arriving.on('error', () => {})
  arriving.on('close', () => {
    clearTimeout(timer)
    body.unpipe(arriving)
  })
  body.on('error', (error) => arriving.destroy(error))
  return body.pipe(arriving)
}

/** Minimum average of an upload over `stallMs`. A phone on EDGE sends 5,000 to 20,000. */
const MIN_BYTES_PER_SECOND = 4_000
const CHECK_MS = 1000

/**
 * Disconnects the sender of an upload that is slower than `MIN_BYTES_PER_SECOND` or larger than `maxBytes`: a time limit
 * of the socket would only notice a sender that sends nothing at all.
 * Throws `too_large` before anything is read if the announced length is too large.
 * @returns a function that ends the watch
 */
export function watchUpload({ raw, headers, server }: FastifyRequest, maxBytes: number): () => void {
  const { stallMs } = server
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    throw new Refusal('too_large', 'refusals.too_large')
  }
  let received = 0
  let window = { bytes: 0, ms: 0 }
  const count = (chunk: Buffer) => {
    received += chunk.length
    window.bytes += chunk.length
    if (received > maxBytes) raw.destroy()
  }
  const checkMs = Math.min(CHECK_MS, stallMs)
  const check = () => {
    // The sender is not slow while it waits for us.
    if (raw.isPaused() || raw.complete) return
    window.ms += checkMs
    if (window.ms < stallMs) return
    if (window.bytes < (MIN_BYTES_PER_SECOND * window.ms) / 1000) raw.destroy()
    window = { bytes: 0, ms: 0 }
  }
  raw.on('data', count)
  const timer = setInterval(check, checkMs).unref()
  return () => {
    clearInterval(timer)
    raw.off('data', count)
  }
}
