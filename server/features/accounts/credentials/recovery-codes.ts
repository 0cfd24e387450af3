import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { Secret } from 'otpauth'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { recoveryCodes } from '#server/platform/database/schema.ts'

const COUNT = 10

/** Replaces the recovery codes of an account, used or not. Returns the new ones, which are stored only as hashes. */
export async function replaceRecoveryCodes(tx: Transaction, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newRecoveryCode)
  await deleteRecoveryCodes(tx, accountId)
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ accountId, hash: hashRecoveryCode(code) })))
  return codes
}

/** 80 random bits in characters that are easy to read out and type: "ABCD-EFGH-IJKL-MNOP". */
export function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer })
  return base32.replace(/.{4}(?!$)/g, '$&-')
}

export async function deleteRecoveryCodes(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
}

/** Uses the code up. Returns false if there is no such unused code. */
export async function useRecoveryCode(tx: Transaction, accountId: string, code: string): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(and(isUnused(accountId), eq(recoveryCodes.hash, hashRecoveryCode(code))))
    .returning({ hash: recoveryCodes.hash })
  return used.length > 0
}

/** The number of unused ones. */
export async function countRecoveryCodes(db: Executor, accountId: string): Promise<number> {
  return db.$count(recoveryCodes, isUnused(accountId))
}

const isUnused = (accountId: string) =>
  and(eq(recoveryCodes.accountId, accountId), isNull(recoveryCodes.usedAt))

/** What the database stores of a recovery code. A plain hash is enough because codes are random. */
export function hashRecoveryCode(code: string): Buffer {
  const characters = code.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return createHash('sha256').update(characters).digest()
}
