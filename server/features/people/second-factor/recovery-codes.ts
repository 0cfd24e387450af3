import { createHash, randomBytes } from 'node:crypto'
import { base32 } from './totp.ts'

export const RECOVERY_CODES = 10

/** 80 random bits in letters that can be read out and typed: "ABCD-EFGH-IJKL-MNOP". */
export function newRecoveryCode(): string {
  return base32(randomBytes(10)).replace(/.{4}(?!$)/g, '$&-')
}

/** What the table holds of it. It is random, so a plain hash is enough. */
export function hashRecoveryCode(code: string): Buffer {
  const typed = code.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(typed).digest()
}
