import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * An answer in each encoding, compressed once. Never for answers with secrets: the compressed length reveals repeated text
 * (https://breachattack.com).
 */
export interface Encoded {
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

export async function encode(plain: Buffer): Promise<Encoded> {
  const [br, gzipped] = await Promise.all([
    compress.br(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    compress.gzip(plain, { level: 9 }),
  ])
  return { etag: etagOf(plain), plain, br, gzip: gzipped }
}

/** Sends the encoding that the client accepts, or 304 if the client already has the content. */
export function sendEncoded(request: FastifyRequest, reply: FastifyReply, encoded: Encoded): FastifyReply {
  reply.header('vary', 'accept-encoding').header('etag', encoded.etag)
  if (reply.statusCode === 200 && hasAlready(request, encoded.etag)) return reply.code(304).send()
  const encoding = negotiate(String(request.headers['accept-encoding'] ?? ''), ['br', 'gzip'])
  if (encoding !== 'br' && encoding !== 'gzip') return reply.send(encoded.plain)
  return reply.header('content-encoding', encoding).send(encoded[encoding])
}

/** A strong ETag for this content. */
export function etagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/**
 * Whether the client already has the content with this ETag. Compared weakly (RFC 9110, section 13.1.2), because proxies
 * that compress answers make our ETags weak.
 */
export function hasAlready({ headers }: FastifyRequest, etag: string): boolean {
  const held = headers['if-none-match']?.split(',') ?? []
  return held.some((name) => name.trim().replace(/^W\//, '') === etag)
}
