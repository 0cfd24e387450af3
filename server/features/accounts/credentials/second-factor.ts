import { randomBytes } from 'node:crypto'
import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { SecondFactor } from '#contract/second-factor.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { invalid, Refusal, type RefusedField, refusedFields } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, passkeys, secondFactors } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueueSecurityEmail, findUser, lockAccount } from '../sellers/account.ts'
import { closeSockets, endSessions } from '../sessions/own-sessions.ts'
import { hasSecondFactor } from '../sessions/queries.ts'
import { type FactorRow, newTotp, sealSecret, takeCode } from './codes.ts'
import { type Account, lockOwner, type Owner, type Person } from './owner.ts'
import { countRecoveryCodes, deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'

/** RFC 4226 section 4 requires 128 bits and recommends 160. */
const SECRET_BYTES = 20

/** What was used for the second step of a sign-in. */
type UsedFactor = 'code' | 'recovery code'

/** Why it failed. A passkey is needed if the password alone is not enough and no app is set up. */
type StepFailure = 'missing' | 'wrong' | 'paused' | 'passkey needed'

/**
 * The second step of a sign-in, after the password. Emails a seller about a used recovery code. Throws `Refusal` if a code is
 * needed and missing or wrong.
 * @param onFailure runs before that, when wrong codes are already counted
 * @returns undefined if the second factor is off, whatever the code
 */
export async function requireCode(
  context: Context,
  account: Account,
  code: string | undefined,
  onFailure?: (failure: StepFailure) => Promise<void>,
): Promise<UsedFactor | undefined> {
  const result = await transaction(context.db, (tx) => passStep(tx, context, account, code))
  if (result === undefined || result === 'code' || result === 'recovery code') return result
  await onFailure?.(result)
  throw stepRefusal(result)
}

async function passStep(
  tx: Transaction,
  { keys, site }: Context,
  { kind, id }: Account,
  code: string | undefined,
): Promise<UsedFactor | StepFailure | undefined> {
  const factor = await lockFactor(tx, id)
  if (!factor?.confirmedAt) {
    const hasPasskey = kind === 'staff' && site.requireTotp && (await isProven(tx, id))
    return hasPasskey ? 'passkey needed' : undefined
  }
  if (code === undefined) return 'missing'
  const result = await takeCode(tx, keys, factor, code)
  const seller = kind === 'seller' && result === 'recovery code' && (await findUser(tx, id))
  if (seller) {
    const left = await countRecoveryCodes(tx, id)
    await enqueueSecurityEmail(tx, seller, { kind: 'recoveryCodeUsed', left })
  }
  return result
}

/** Whether the administrator has an authenticator app or a passkey. */
async function isProven(db: Executor, administratorId: string): Promise<boolean> {
  return (await db.$count(administrators, and(eq(administrators.id, administratorId), hasSecondFactor))) > 0
}

export async function readSecondFactor(db: Executor, accountId: string): Promise<SecondFactor> {
  const [enabled, recoveryCodesLeft] = await Promise.all([
    isOn(db, accountId),
    countRecoveryCodes(db, accountId),
  ])
  return { enabled, recoveryCodesLeft }
}

/**
 * Creates a secret for the app. It takes effect once a code from the app confirms it. Sellers need a confirmed address: a
 * stranger could register with somebody's address and lock them out, because a new password does not remove a second factor.
 */
export async function startSecondFactor({ db, keys, site }: Context, person: Person) {
  const { id } = person
  const secret = randomBytes(SECRET_BYTES)
  const row = { accountId: id, ...sealSecret(keys, id, secret) }
  const label = await transaction(db, async (tx) => {
    const owner = await lockOwner(tx, person)
    if (!owner.isConfirmed) throw new Refusal('email_unconfirmed', 'refusals.totp_email_unconfirmed')
    if (!(await putUnconfirmed(tx, row))) throw alreadyOn()
    return owner.label
  })
  const totp = newTotp(secret, { issuer: site.productName, label })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Turns the second factor on, and ends the other sessions, which began without a code. Returns the recovery codes. */
export function confirmSecondFactor(context: Context, person: Person, code: string): Promise<string[]> {
  return changeWithCode(context, person, { code, ready: requireStarted }, async (tx, { tell }) => {
    await tx.update(secondFactors).set({ confirmedAt: sql`now()` }).where(isOf(person.id))
    await endSessions(tx, person, { except: person.sid })
    await tell({ kind: 'secondFactorOn' })
    return replaceRecoveryCodes(tx, person.id)
  })
}

/** Turns the second factor off. Needs a code, because an unlocked screen alone must not be enough. */
export function stopSecondFactor(context: Context, person: Person, code: string): Promise<void> {
  return changeWithCode(context, person, { code, ready: requireOn }, async (tx, { tell }) => {
    await removeApp(tx, person.id)
    await closeSocketsIfUnproven(tx, context.site, person)
    await tell({ kind: 'secondFactorOff' })
  })
}

/** Replaces the recovery codes, used or not. Needs a code. Returns the new ones. */
export function renewRecoveryCodes(context: Context, person: Person, code: string): Promise<string[]> {
  return changeWithCode(context, person, { code, ready: requireOn }, async (tx, { tell }) => {
    await tell({ kind: 'recoveryCodesRenewed' })
    return replaceRecoveryCodes(tx, person.id)
  })
}

/** Changes a second factor after a check of the code. Throws `Refusal` only after the commit, so that wrong codes count. */
async function changeWithCode<T>(
  { db, keys }: Context,
  person: Person,
  { code, ready }: { code: string; ready: (factor: FactorRow | undefined) => FactorRow },
  change: (tx: Transaction, owner: Owner) => Promise<T>,
): Promise<T> {
  const result = await transaction(db, async (tx) => {
    const owner = await lockOwner(tx, person)
    const factor = ready(await lockFactor(tx, person.id))
    const taken = await takeCode(tx, keys, factor, code)
    if (taken === 'wrong' || taken === 'paused') return taken
    return { changed: await change(tx, owner) }
  })
  if (result === 'paused') throw paused()
  if (result === 'wrong') throw invalid([WRONG_CODE])
  return result.changed
}

function requireStarted(factor: FactorRow | undefined): FactorRow {
  if (!factor) throw new Refusal('totp_off', 'refusals.totp_not_started')
  if (factor.confirmedAt) throw alreadyOn()
  return factor
}

function requireOn(factor: FactorRow | undefined): FactorRow {
  if (!factor?.confirmedAt) throw new Refusal('totp_off', 'refusals.totp_off')
  return factor
}

/** With REQUIRE_TOTP, administrators without a second factor stay signed in but get no live messages. */
export async function closeSocketsIfUnproven(
  tx: Transaction,
  { requireTotp }: Context['site'],
  person: Person,
): Promise<void> {
  if (person.kind === 'staff' && requireTotp && !(await isProven(tx, person.id)))
    await closeSockets(tx, person)
}

/**
 * Removes the authenticator app and the recovery codes. Returns false if there was no app.
 * @param since only if it was turned on since then
 */
export async function removeApp(tx: Transaction, accountId: string, since?: Date): Promise<boolean> {
  const removed = await tx
    .delete(secondFactors)
    .where(and(isOf(accountId), since && gte(secondFactors.confirmedAt, since)))
    .returning({ id: secondFactors.accountId })
  if (removed.length === 0) return false
  await deleteRecoveryCodes(tx, accountId)
  return true
}

/** Removes the authenticator app and the passkeys of an administrator. Returns false if there was neither. */
export async function removeSecondFactors(tx: Transaction, administratorId: string): Promise<boolean> {
  const hadApp = await removeApp(tx, administratorId)
  const removed = await tx
    .delete(passkeys)
    .where(eq(passkeys.administratorId, administratorId))
    .returning({ id: passkeys.id })
  return hadApp || removed.length > 0
}

/** For sellers who have lost the app and the recovery codes. Emails the owner. Returns false if it was off. */
export async function resetSecondFactor({ db }: Pick<Context, 'db'>, sellerId: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const user = await lockAccount(tx, sellerId)
    if (!(await removeApp(tx, sellerId))) return false
    await enqueueSecurityEmail(tx, user, { kind: 'secondFactorOff' })
    await record(tx, {
      actor: { kind: 'system' },
      action: 'seller.totp_reset',
      subject: { kind: 'seller', id: sellerId },
      details: { by: 'command line' },
    })
    return true
  })
}

async function isOn(db: Executor, accountId: string): Promise<boolean> {
  return (await db.$count(secondFactors, and(isOf(accountId), isNotNull(secondFactors.confirmedAt)))) > 0
}

/** Throws `Refusal` if the second factor was turned on while somebody signed in without a code. */
export async function refuseIfOn(tx: Transaction, accountId: string): Promise<void> {
  if (await isOn(tx, accountId)) throw stepRefusal('missing')
}

const WRONG_CODE: RefusedField = { path: 'code', code: 'code_wrong' }

/** The refusal for a right password without a right code. */
function stepRefusal(failure: StepFailure): Refusal {
  if (failure === 'paused') return paused()
  if (failure === 'wrong') return refusedFields('totp_wrong', [WRONG_CODE])
  if (failure === 'passkey needed') return new Refusal('passkey_required', 'refusals.passkey_required')
  return new Refusal('totp_required', 'refusals.totp_required')
}

function paused(): Refusal {
  return new Refusal('too_many_requests', 'refusals.too_many_codes', { retryAfter: 15 * 60 })
}

function alreadyOn(): Refusal {
  return new Refusal('totp_on', 'refusals.totp_on')
}

const isOf = (accountId: string) => eq(secondFactors.accountId, accountId)

/** Locked, so that of two requests with the same code only one succeeds. */
async function lockFactor(tx: Transaction, accountId: string): Promise<FactorRow | undefined> {
  const [row] = await tx.select().from(secondFactors).where(isOf(accountId)).for('update')
  return row
}

/** Replaces an unconfirmed secret. Returns false if there is a confirmed one. */
async function putUnconfirmed(
  tx: Transaction,
  row: Pick<FactorRow, 'accountId' | 'dataKey' | 'secret'>,
): Promise<boolean> {
  const rows = await tx
    .insert(secondFactors)
    .values(row)
    .onConflictDoUpdate({
      target: secondFactors.accountId,
      set: { ...row, lastStep: 0, failures: 0 },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ id: secondFactors.accountId })
  return rows.length > 0
}
