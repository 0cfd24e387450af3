import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: what the cookie holds. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the table holds of it. The token is random, so a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
