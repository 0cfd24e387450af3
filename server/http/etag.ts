import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

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
