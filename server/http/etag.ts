import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Names this very content: whoever has it already need not be sent it again. */
export function etagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/**
 * Whether whoever asks has the content of this name. Compared weakly (RFC 9110, 13.1.2): a proxy that compresses answers
 * hands our names on as weak ones, and browsers send several.
 */
export function hasAlready({ headers }: FastifyRequest, etag: string): boolean {
  const held = headers['if-none-match']?.split(',') ?? []
  return held.some((name) => name.trim().replace(/^W\//, '') === etag)
}
