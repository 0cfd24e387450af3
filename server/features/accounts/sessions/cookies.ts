import { createHash, randomBytes } from 'node:crypto'
import type { Site } from '#server/platform/config/site.ts'

/** Browsers keep a cookie for at most 400 days. */
export const MAX_COOKIE_SECONDS = 400 * 24 * 3600

/** With the prefix, browsers accept the cookie only from this exact host over https. */
export function cookieName({ https }: Site, name: string): string {
  return https ? `__Host-${name}` : name
}

/** For cookies that scripts cannot read and that other sites' requests do not send. */
export function cookieAttributes({ https }: Site) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: https } as const
}

/** 256 random bits, the value of a cookie or a mailed link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database stores of a token. A plain hash is enough because tokens are random. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
