import { createHmac, timingSafeEqual } from 'node:crypto'

/** Time-based one-time codes as authenticator apps make them: RFC 6238 over RFC 4226, SHA-1, 6 digits, 30 seconds. */

const STEP_MS = 30_000
const DIGITS = 6
/** Clocks may differ by one step either way. RFC 6238 5.2 asks for no more. */
const DRIFT = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The number of the 30 seconds that a moment (milliseconds since 1970) is in. */
export function stepAt(now: number): number {
  return Math.floor(now / STEP_MS)
}

/** The code of a step. Source: https://www.rfc-editor.org/rfc/rfc4226#section-5.3 */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * The step that a code is of, or undefined for a wrong one. Steps up to `lastStep` are used up.
 */
export function matchingStep(
  secret: Buffer,
  code: string,
  { now, lastStep }: { now: number; lastStep: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = stepAt(now)
  for (let step = current - DRIFT; step <= current + DRIFT; step++) {
    const right = timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))
    if (right && step > lastStep) return step
  }
  return undefined
}

/** What an authenticator app reads from a QR code. */
export function otpauthUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = new URLSearchParams({ secret: base32(secret), issuer })
  // Apps take a plus sign for a plus sign.
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}

/** RFC 4648, without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('')
}
