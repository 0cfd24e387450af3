import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, open, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'
import * as queries from './queries.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'

/** So many wrong codes, each within this time of the one before, and no more are looked at for as long. */
const FAILURES = 10
const PAUSE_MS = 15 * 60 * 1000

export type CodeCheck = 'code' | 'recovery code' | 'wrong' | 'paused'

/**
 * Takes a code of the app, or a recovery code, and uses it up. The caller commits whatever the answer is: wrong
 * tries count too, and whoever has the password cannot go through a million codes.
 */
export async function takeCode(
  tx: Transaction,
  keys: KeyRing,
  factor: queries.FactorRow,
  code: string,
): Promise<CodeCheck> {
  const now = (await readClock(tx))()
  const recently = factor.failedAt !== null && now - factor.failedAt.getTime() < PAUSE_MS
  const failures = recently ? factor.failures : 0
  if (failures >= FAILURES) return 'paused'
  const id = factor.administratorId
  const step = codeStep(keys, factor, code, now)
  if (step !== undefined) {
    await queries.noteSuccess(tx, id, step)
    return 'code'
  }
  if (factor.confirmedAt && (await queries.useRecoveryCode(tx, id, hashRecoveryCode(code)))) {
    await queries.noteSuccess(tx, id, factor.lastStep)
    return 'recovery code'
  }
  await queries.noteFailure(tx, id, failures + 1)
  return 'wrong'
}

function codeStep(keys: KeyRing, factor: queries.FactorRow, code: string, now: number): number | undefined {
  const secret = openSecret(keys, factor)
  try {
    return matchingStep(secret, code.replaceAll(' ', ''), { now, lastStep: factor.lastStep })
  } finally {
    secret.fill(0)
  }
}

const place = (column: string, row: string) => ({ table: 'second_factors', column, row })

/** The secret as the table keeps it. */
export function sealSecret(keys: KeyRing, administratorId: string, secret: Buffer) {
  const dataKey = newDataKey()
  try {
    return {
      dataKey: wrapKey(keys, dataKey, place('data_key', administratorId)),
      secret: seal(dataKey, secret, place('secret', administratorId)),
    }
  } finally {
    dataKey.fill(0)
  }
}

function openSecret(keys: KeyRing, { administratorId, dataKey, secret }: queries.FactorRow): Buffer {
  const opened = unwrapKey(keys, dataKey, place('data_key', administratorId))
  try {
    return open(opened, secret, place('secret', administratorId))
  } finally {
    opened.fill(0)
  }
}
