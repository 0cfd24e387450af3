import { randomBytes } from 'node:crypto'
import type { SecondFactor } from '#contract/second-factor.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { type CodeCheck, sealSecret, takeCode } from './check.ts'
import * as queries from './queries.ts'
import { hashRecoveryCode, newRecoveryCode, RECOVERY_CODES } from './recovery-codes.ts'
import { base32, otpauthUri } from './totp.ts'

/** RFC 4226 4: at least 128 bits, 160 recommended. */
const SECRET_BYTES = 20

/**
 * The second step of an administrator's sign-in, after the password.
 * @returns what became of the code, or `missing` when one is wanted; undefined when no second factor is on
 */
export async function passSecondFactor(
  { db, keys }: Context,
  administratorId: string,
  code: string | undefined,
): Promise<CodeCheck | 'missing' | undefined> {
  if (code === undefined) return (await queries.isOn(db, administratorId)) ? 'missing' : undefined
  return transaction(db, async (tx) => {
    const factor = await queries.lockFactor(tx, administratorId)
    return factor?.confirmedAt ? takeCode(tx, keys, factor, code) : undefined
  })
}

export async function readSecondFactor({ db }: Context, { id }: Staff): Promise<SecondFactor> {
  const [enabled, recoveryCodesLeft] = await Promise.all([
    queries.isOn(db, id),
    queries.countRecoveryCodes(db, id),
  ])
  return { enabled, recoveryCodesLeft }
}

/** Makes a secret for the app. It counts once a code of it was shown. */
export async function startSecondFactor({ db, keys, site }: Context, { id, username }: Staff) {
  const secret = randomBytes(SECRET_BYTES)
  const row = { administratorId: id, ...sealSecret(keys, id, secret) }
  if (!(await transaction(db, (tx) => queries.putUnconfirmed(tx, row)))) throw alreadyOn()
  return {
    secret: base32(secret),
    uri: otpauthUri(secret, { issuer: site.productName, account: username }),
  }
}

/** Switches it on by a code of the new secret. @returns the recovery codes, whole for this once */
export async function confirmSecondFactor(
  { db, keys }: Context,
  staff: Staff,
  code: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const check = await transaction(db, async (tx) => {
    const factor = await queries.lockFactor(tx, staff.id)
    if (!factor) throw new Refusal('totp_off', 'Please start with a new secret')
    if (factor.confirmedAt) throw alreadyOn()
    const taken = await takeCode(tx, keys, factor, code)
    if (taken !== 'code') return taken
    await queries.confirmFactor(tx, staff.id)
    await queries.insertRecoveryCodes(tx, staff.id, codes.map(hashRecoveryCode))
    await note(tx, staff, 'admin.totp_started')
    return taken
  })
  requireRight(check)
  return codes
}

/** Switches it off, by a code of it: an unlocked screen alone is not enough. */
export async function stopSecondFactor({ db, keys }: Context, staff: Staff, code: string): Promise<void> {
  const check = await transaction(db, async (tx) => {
    const factor = await queries.lockFactor(tx, staff.id)
    if (!factor?.confirmedAt) throw new Refusal('totp_off', 'The second factor is off already')
    const taken = await takeCode(tx, keys, factor, code)
    if (taken !== 'code' && taken !== 'recovery code') return taken
    await queries.deleteFactor(tx, staff.id)
    await note(tx, staff, 'admin.totp_stopped')
    return taken
  })
  requireRight(check)
}

/** For the operator. @returns whether there was one */
export function removeSecondFactor(tx: Transaction, administratorId: string): Promise<boolean> {
  return queries.deleteFactor(tx, administratorId)
}

function requireRight(check: CodeCheck): void {
  if (check === 'paused') throw paused()
  if (check === 'wrong') throw invalid([{ path: 'code', message: WRONG }])
}

const WRONG = 'This code is not valid'

/** The answer to a right password whose second step was not passed. */
export function codeRefusal(check: 'missing' | 'wrong' | 'paused'): Refusal {
  if (check === 'paused') return paused()
  if (check === 'wrong')
    return new Refusal('totp_wrong', WRONG, { errors: [{ path: 'code', message: WRONG }] })
  return new Refusal('totp_required', 'Please enter the code of your authenticator app')
}

function paused(): Refusal {
  return new Refusal('too_many_requests', 'Too many wrong codes. Please wait a while and try again.', {
    retryAfter: 15 * 60,
  })
}

function alreadyOn(): Refusal {
  return new Refusal('totp_on', 'The second factor is on already')
}

function note(tx: Transaction, actor: Staff, action: 'admin.totp_started' | 'admin.totp_stopped') {
  return record(tx, { actor, action, subject: { kind: 'administrator', id: actor.username } })
}
