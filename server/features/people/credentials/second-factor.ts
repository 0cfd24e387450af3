import { randomBytes } from 'node:crypto'
import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import type { SecondFactor } from '#contract/second-factor.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { invalid, Refusal, type RefusedField, refusedFields } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, recoveryCodes, secondFactors } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueueSecurityEmail, lockAccount } from '../sellers/account.ts'
import {
  type CodeResult,
  type FactorRow,
  hashRecoveryCode,
  newRecoveryCode,
  newTotp,
  sealSecret,
  takeCode,
} from './codes.ts'

type Person = Seller | Staff

/** RFC 4226 section 4 requires 128 bits and recommends 160. */
const SECRET_BYTES = 20
const RECOVERY_CODES = 10

/**
 * The second step of a sign-in, after the password. The caller must commit even if the code is wrong, so that wrong codes count.
 * @returns `missing` if a code is needed; undefined if the second factor is off
 */
export async function passSecondFactor(
  tx: Transaction,
  { keys }: Context,
  accountId: string,
  code: string | undefined,
): Promise<CodeResult | 'missing' | undefined> {
  const factor = await lockFactor(tx, accountId)
  if (!factor?.confirmedAt) return undefined
  return code === undefined ? 'missing' : takeCode(tx, keys, factor, code)
}

export async function readSecondFactor(db: Executor, accountId: string): Promise<SecondFactor> {
  const [enabled, recoveryCodesLeft] = await Promise.all([
    isOn(db, accountId),
    countRecoveryCodes(db, accountId),
  ])
  return { enabled, recoveryCodesLeft }
}

/** The number of unused ones. */
export async function countRecoveryCodes(db: Executor, accountId: string): Promise<number> {
  return db.$count(recoveryCodes, and(eq(recoveryCodes.accountId, accountId), isNull(recoveryCodes.usedAt)))
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

/** Turns the second factor on. Returns the recovery codes, which are stored only as hashes. */
export async function confirmSecondFactor(
  { db, keys }: Context,
  person: Person,
  code: string,
  /** Ends the other sessions, which began without a code. Runs in the same transaction. */
  endOthers: (tx: Transaction) => Promise<unknown>,
): Promise<string[]> {
  const codes = newRecoveryCodes()
  const result = await transaction(db, async (tx) => {
    const { tell } = await lockOwner(tx, person)
    const factor = await lockFactor(tx, person.id)
    if (!factor) throw new Refusal('totp_off', 'refusals.totp_not_started')
    if (factor.confirmedAt) throw alreadyOn()
    const taken = await takeCode(tx, keys, factor, code)
    if (taken !== 'code') return taken
    await tx.update(secondFactors).set({ confirmedAt: sql`now()` }).where(isOf(person.id))
    await putRecoveryCodes(tx, person.id, codes)
    await endOthers(tx)
    await tell('started')
    return taken
  })
  requireRight(result)
  return codes
}

/** Turns the second factor off. Needs a code, because an unlocked screen alone must not be enough. */
export async function stopSecondFactor(
  context: Context,
  person: Person,
  code: string,
  /** Runs in the same transaction. */
  within?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await changeWithCode(context, person, code, async (tx, tell) => {
    await removeApp(tx, person.id)
    await within?.(tx)
    await tell('stopped')
  })
}

/** Replaces the recovery codes, used or not. Needs a code. Returns the new ones. */
export async function renewRecoveryCodes(context: Context, person: Seller, code: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await changeWithCode(context, person, code, async (tx, tell) => {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, person.id))
    await putRecoveryCodes(tx, person.id, codes)
    await tell('renewed')
  })
  return codes
}

async function changeWithCode(
  { db, keys }: Context,
  person: Person,
  code: string,
  change: (tx: Transaction, tell: Owner['tell']) => Promise<void>,
): Promise<void> {
  const result = await transaction(db, async (tx) => {
    const { tell } = await lockOwner(tx, person)
    const factor = await lockFactor(tx, person.id)
    if (!factor?.confirmedAt) throw new Refusal('totp_off', 'refusals.totp_off')
    const taken = await takeCode(tx, keys, factor, code)
    if (taken === 'code' || taken === 'recovery code') await change(tx, tell)
    return taken
  })
  requireRight(result)
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
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
  return true
}

export async function isOn(db: Executor, accountId: string): Promise<boolean> {
  return (await db.$count(secondFactors, and(isOf(accountId), isNotNull(secondFactors.confirmedAt)))) > 0
}

/** Throws `Refusal` if the second factor was turned on while somebody signed in without a code. */
export async function refuseIfOn(tx: Transaction, accountId: string): Promise<void> {
  if (await isOn(tx, accountId)) throw codeRefusal('missing')
}

function requireRight(result: CodeResult): void {
  if (result === 'paused') throw paused()
  if (result === 'wrong') throw invalid([WRONG_CODE])
}

const WRONG_CODE: RefusedField = { path: 'code', code: 'code_wrong' }

/** The refusal for a right password without a right code. */
export function codeRefusal(result: 'missing' | 'wrong' | 'paused'): Refusal {
  if (result === 'paused') return paused()
  if (result === 'wrong') return refusedFields('totp_wrong', [WRONG_CODE])
  return new Refusal('totp_required', 'refusals.totp_required')
}

function paused(): Refusal {
  return new Refusal('too_many_requests', 'refusals.too_many_codes', { retryAfter: 15 * 60 })
}

function alreadyOn(): Refusal {
  return new Refusal('totp_on', 'refusals.totp_on')
}

interface Owner {
  /** The account's name in the authenticator app. */
  readonly label: string
  readonly isConfirmed: boolean
  /** Tells sellers of a change by email, and the audit log about staff. */
  readonly tell: (change: 'started' | 'stopped' | 'renewed') => Promise<void>
}

/** Locks the account: sign-ins wait, and so does a seller's deletion, which then deletes the second factor too. */
async function lockOwner(tx: Transaction, person: Person): Promise<Owner> {
  if (person.kind === 'seller') {
    const user = await lockAccount(tx, person.id)
    return {
      label: user.email,
      isConfirmed: user.verified,
      tell: (change) => enqueueSecurityEmail(tx, user, { kind: noticeOf[change] }),
    }
  }
  await tx
    .select({ id: administrators.id })
    .from(administrators)
    .where(eq(administrators.id, person.id))
    .for('update')
  return {
    label: person.username,
    isConfirmed: true,
    tell: async (change) => {
      if (change === 'renewed') return
      const subject = { kind: 'administrator', id: person.username } as const
      await record(tx, { actor: person, action: `admin.totp_${change}`, subject })
    },
  }
}

const noticeOf = {
  started: 'secondFactorOn',
  stopped: 'secondFactorOff',
  renewed: 'recoveryCodesRenewed',
} as const

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

const newRecoveryCodes = () => Array.from({ length: RECOVERY_CODES }, newRecoveryCode)

async function putRecoveryCodes(tx: Transaction, accountId: string, codes: readonly string[]): Promise<void> {
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ accountId, hash: hashRecoveryCode(code) })))
}
