import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { SecondFactor } from '#contract/second-factor.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, Refusal, type RefusedField, refusedFields } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { passkeys, recoveryCodes, secondFactors, sessions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { endSockets } from '#server/platform/live/publish.ts'
import {
  type CodeResult,
  type FactorRow,
  hashRecoveryCode,
  newRecoveryCode,
  newTotp,
  sealSecret,
  takeCode,
} from './second-factor-codes.ts'

/** RFC 4226 section 4 requires 128 bits and recommends 160. */
const SECRET_BYTES = 20
const RECOVERY_CODES = 10

/** What became of the second step. A passkey is needed where the password alone is not enough and no app is set up. */
type StepResult = CodeResult | 'missing' | 'passkey needed'

/**
 * The second step of an administrator's sign-in, after the password.
 * @returns `missing` if a code is needed; undefined if the second factor is off
 */
export async function passSecondFactor(
  { db, keys, site }: Context,
  administratorId: string,
  code: string | undefined,
): Promise<StepResult | undefined> {
  const result = await transaction(db, async (tx) => {
    const factor = await lockFactor(tx, administratorId)
    if (!factor?.confirmedAt) return undefined
    return code === undefined ? 'missing' : takeCode(tx, keys, factor, code)
  })
  if (result === undefined && site.requireTotp && (await hasPasskey(db, administratorId)))
    return 'passkey needed'
  return result
}

export async function readSecondFactor({ db }: Context, { id }: Staff): Promise<SecondFactor> {
  const unused = and(eq(recoveryCodes.administratorId, id), isNull(recoveryCodes.usedAt))
  const [enabled, recoveryCodesLeft] = await Promise.all([isOn(db, id), db.$count(recoveryCodes, unused)])
  return { enabled, recoveryCodesLeft }
}

/** Creates a secret for the app. It takes effect once a code from the app confirms it. */
export async function startSecondFactor({ db, keys, site }: Context, { id, username }: Staff) {
  const secret = randomBytes(SECRET_BYTES)
  const row = { administratorId: id, ...sealSecret(keys, id, secret) }
  if (!(await transaction(db, (tx) => putUnconfirmed(tx, row)))) throw alreadyOn()
  const totp = newTotp(secret, { issuer: site.productName, label: username })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Turns the second factor on. Returns the recovery codes, which are stored only as hashes. */
export async function confirmSecondFactor(
  { db, keys }: Context,
  staff: Staff,
  code: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const result = await transaction(db, async (tx) => {
    const factor = await lockFactor(tx, staff.id)
    if (!factor) throw new Refusal('totp_off', 'refusals.totp_not_started')
    if (factor.confirmedAt) throw alreadyOn()
    const taken = await takeCode(tx, keys, factor, code)
    if (taken !== 'code') return taken
    await tx.update(secondFactors).set({ confirmedAt: sql`now()` }).where(isOf(staff.id))
    const hashes = codes.map((code) => ({ administratorId: staff.id, hash: hashRecoveryCode(code) }))
    await tx.insert(recoveryCodes).values(hashes)
    await recordChange(tx, staff, 'admin.totp_started')
    return taken
  })
  requireRight(result)
  return codes
}

/** Turns the second factor off. Needs a code, because an unlocked screen alone must not be enough. */
export async function stopSecondFactor(
  { db, keys, site }: Context,
  staff: Staff,
  code: string,
): Promise<void> {
  const result = await transaction(db, async (tx) => {
    const factor = await lockFactor(tx, staff.id)
    if (!factor?.confirmedAt) throw new Refusal('totp_off', 'refusals.totp_off')
    const taken = await takeCode(tx, keys, factor, code)
    if (taken !== 'code' && taken !== 'recovery code') return taken
    await removeApp(tx, staff.id)
    await closeSocketsIfUnproven(tx, site, staff.id)
    await recordChange(tx, staff, 'admin.totp_stopped')
    return taken
  })
  requireRight(result)
}

/** With REQUIRE_TOTP, the sessions of somebody without a second factor go on, but hear nothing until there is one again. */
export async function closeSocketsIfUnproven(
  tx: Transaction,
  { requireTotp }: Context['site'],
  administratorId: string,
): Promise<void> {
  if (!requireTotp || (await isOn(tx, administratorId)) || (await hasPasskey(tx, administratorId))) return
  const found = await tx
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(eq(sessions.administratorId, administratorId))
  await endSockets(
    tx,
    found.map(({ sid }) => sid),
  )
}

/** Removes the authenticator app and the passkeys. Returns false if there was neither. */
export async function removeSecondFactors(tx: Transaction, administratorId: string): Promise<boolean> {
  const hadApp = await removeApp(tx, administratorId)
  const removed = await tx
    .delete(passkeys)
    .where(eq(passkeys.administratorId, administratorId))
    .returning({ id: passkeys.id })
  return hadApp || removed.length > 0
}

/** Returns false if there was none. */
async function removeApp(tx: Transaction, administratorId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.administratorId, administratorId))
  const removed = await tx
    .delete(secondFactors)
    .where(isOf(administratorId))
    .returning({ id: secondFactors.administratorId })
  return removed.length > 0
}

function requireRight(result: CodeResult): void {
  if (result === 'paused') throw paused()
  if (result === 'wrong') throw invalid([WRONG_CODE])
}

const WRONG_CODE: RefusedField = { path: 'code', code: 'code_wrong' }

/** The refusal for a right password without a right code. */
export function codeRefusal(result: Exclude<StepResult, 'code' | 'recovery code'>): Refusal {
  if (result === 'paused') return paused()
  if (result === 'passkey needed') return new Refusal('passkey_required', 'refusals.passkey_required')
  if (result === 'wrong') return refusedFields('totp_wrong', [WRONG_CODE])
  return new Refusal('totp_required', 'refusals.totp_required')
}

function paused(): Refusal {
  return new Refusal('too_many_requests', 'refusals.too_many_codes', { retryAfter: 15 * 60 })
}

function alreadyOn(): Refusal {
  return new Refusal('totp_on', 'refusals.totp_on')
}

function recordChange(tx: Transaction, actor: Staff, action: 'admin.totp_started' | 'admin.totp_stopped') {
  return record(tx, { actor, action, subject: { kind: 'administrator', id: actor.username } })
}

const isOf = (administratorId: string) => eq(secondFactors.administratorId, administratorId)

/** Locked, so that of two requests with the same code only one succeeds. */
async function lockFactor(tx: Transaction, administratorId: string): Promise<FactorRow | undefined> {
  const [row] = await tx.select().from(secondFactors).where(isOf(administratorId)).for('update')
  return row
}

async function isOn(db: Executor, administratorId: string): Promise<boolean> {
  const confirmed = and(isOf(administratorId), isNotNull(secondFactors.confirmedAt))
  return (await db.$count(secondFactors, confirmed)) > 0
}

async function hasPasskey(db: Executor, administratorId: string): Promise<boolean> {
  return (await db.$count(passkeys, eq(passkeys.administratorId, administratorId))) > 0
}

/** Replaces an unconfirmed secret. Returns false if there is a confirmed one. */
async function putUnconfirmed(
  tx: Transaction,
  row: Pick<FactorRow, 'administratorId' | 'dataKey' | 'secret'>,
): Promise<boolean> {
  const rows = await tx
    .insert(secondFactors)
    .values(row)
    .onConflictDoUpdate({
      target: secondFactors.administratorId,
      set: { ...row, lastStep: 0, failures: 0 },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ id: secondFactors.administratorId })
  return rows.length > 0
}
