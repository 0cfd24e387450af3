import { eq, sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { v7 as uuidv7 } from 'uuid'
import { readClock } from '#server/platform/database/clock.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { administrators, secondFactors, users } from '#server/platform/database/schema.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, open, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'
import { useRecoveryCode } from './recovery-codes.ts'

export type FactorRow = typeof secondFactors.$inferSelect

/** After this many wrong codes, each within the pause of the one before, no code is checked during the pause. */
const MAX_FAILURES = 10
const PAUSE_MS = 15 * 60 * 1000

/** After this many wrong codes without a right one, the owner is warned by email: more than people mistype. */
const WARN_AFTER = 5
const WARN_EVERY_MS = 24 * 3600 * 1000

export type CodeResult = 'code' | 'recovery code' | 'wrong' | 'paused'

/**
 * Checks a code of the app or a recovery code, and uses it up. Warns the owner of wrong ones, which are counted per account.
 * The caller must commit even if the code is wrong, so that it counts.
 */
export async function takeCode(
  tx: Transaction,
  keys: KeyRing,
  factor: FactorRow,
  code: string,
): Promise<CodeResult> {
  const now = (await readClock(tx))()
  const failedRecently = factor.failedAt !== null && now - factor.failedAt.getTime() < PAUSE_MS
  const failures = failedRecently ? factor.failures : 0
  if (failures >= MAX_FAILURES) return 'paused'
  const id = factor.accountId
  const step = stepOf(keys, factor, code, now)
  if (step !== undefined) {
    await updateFactor(tx, id, { lastStep: step, failures: 0, wrongCodes: 0 })
    return 'code'
  }
  if (factor.confirmedAt && (await useRecoveryCode(tx, id, code))) {
    await updateFactor(tx, id, { failures: 0, wrongCodes: 0 })
    return 'recovery code'
  }
  const wrongCodes = factor.wrongCodes + 1
  const warnedRecently = factor.warnedAt !== null && now - factor.warnedAt.getTime() < WARN_EVERY_MS
  const warns = factor.confirmedAt !== null && wrongCodes >= WARN_AFTER && !warnedRecently
  await updateFactor(tx, id, {
    failures: failures + 1,
    failedAt: sql`now()`,
    wrongCodes: warns ? 0 : wrongCodes,
    ...(warns && { warnedAt: sql`now()` }),
  })
  if (warns) await warnOwner(tx, id)
  return 'wrong'
}

/** Administrators created by the operator have no address: the audit log names their refused sign-ins. */
async function warnOwner(tx: Transaction, accountId: string): Promise<void> {
  const [seller] = await tx.select({ email: users.email }).from(users).where(eq(users.id, accountId))
  if (seller) {
    const notice = { kind: 'wrongCodes', of: 'seller' } as const
    await enqueue(tx, 'accountMail', uuidv7(), { to: seller.email, userId: accountId, notice })
    return
  }
  const [staff] = await tx
    .select({ email: administrators.email })
    .from(administrators)
    .where(eq(administrators.id, accountId))
  if (staff?.email) {
    const notice = { kind: 'wrongCodes', of: 'staff' } as const
    await enqueue(tx, 'accountMail', uuidv7(), { to: staff.email, notice })
  }
}

function stepOf(keys: KeyRing, factor: FactorRow, code: string, now: number): number | undefined {
  const secret = openSecret(keys, factor)
  try {
    return matchingStep(newTotp(secret), code.replaceAll(' ', ''), { now, lastStep: factor.lastStep })
  } finally {
    secret.fill(0)
  }
}

/**
 * The time step of a code, or undefined if the code is wrong or its step was already used.
 * @param now milliseconds since 1970. Clocks may differ by one step, as RFC 6238 section 5.2 recommends.
 */
export function matchingStep(
  totp: TOTP,
  code: string,
  { now, lastStep }: { now: number; lastStep: number },
): number | undefined {
  // The library throws for six characters that are not six bytes.
  if (!/^\d{6}$/.test(code)) return undefined
  const drift = totp.validate({ token: code, timestamp: now, window: 1 })
  if (drift === null) return undefined
  const step = totp.counter({ timestamp: now }) + drift
  return step > lastStep ? step : undefined
}

/** What authenticator apps expect: SHA-1, 6 digits, 30 seconds. Its string form is the URI for the QR code. */
export function newTotp(secret: Buffer, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })
}

async function updateFactor(
  tx: Transaction,
  accountId: string,
  changed: Parameters<ReturnType<typeof tx.update<typeof secondFactors>>['set']>[0],
): Promise<void> {
  await tx.update(secondFactors).set(changed).where(eq(secondFactors.accountId, accountId))
}

const cell = (column: string, row: string) => ({ table: 'second_factors', column, row })

/** The secret as stored in the database. */
export function sealSecret(keys: KeyRing, accountId: string, secret: Buffer) {
  const dataKey = newDataKey()
  try {
    return {
      dataKey: wrapKey(keys, dataKey, cell('data_key', accountId)),
      secret: seal(dataKey, secret, cell('secret', accountId)),
    }
  } finally {
    dataKey.fill(0)
  }
}

function openSecret(keys: KeyRing, { accountId, dataKey, secret }: FactorRow): Buffer {
  const opened = unwrapKey(keys, dataKey, cell('data_key', accountId))
  try {
    return open(opened, secret, cell('secret', accountId))
  } finally {
    opened.fill(0)
  }
}
