import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { AuditAction } from '#contract/audit.ts'
import type { Role } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { type AuditDetails, record } from '#server/features/audit/actions.ts'
import { forgetGuesses } from '#server/http/limits/shared-limiter.ts'
import { accountName } from '#server/platform/config/config-values.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { administrators } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { removeSecondFactors } from '../credentials/second-factor.ts'
import { hasSecondFactor } from '../sessions/queries.ts'
import { endStaffSessions, isLast, lockActiveOwners, revokeAccessGrantedBy } from './accounts.ts'
import { createSignInLink } from './sign-in-link.ts'

// What the operator does with administrators, by `./unspent admin` and at the first start.

class AdministratorError extends OperatorError {
  override name = 'AdministratorError'
}

type Tools = Pick<Context, 'db' | 'passwords'>

export interface FirstAdministrator {
  readonly username: string
  /** Set if the server generated it. It is shown once and not stored. */
  readonly generatedPassword?: string
}

/**
 * Creates the first administrator of a new installation. Does nothing if there is an administrator.
 * @param announce shows the password to the operator. It runs before the commit: if the process dies in between, the
 * next start creates the account again with another password. After the commit, the password could be lost.
 */
export async function createFirstAdministrator(
  { db, passwords }: Tools,
  { username, password }: { username: string; password: string | undefined },
  announce: (created: FirstAdministrator) => void,
): Promise<void> {
  if (await hasAdministrators(db)) return
  const chosen = password ?? generatePassword()
  const administrator = { id: uuidv7(), username, passwordHash: await passwords.hash(chosen) }
  await transaction(db, async (tx) => {
    // If several servers start at once, only one creates it.
    const inserted = await tx
      .insert(administrators)
      .values(administrator)
      .onConflictDoNothing()
      .returning({ id: administrators.id })
    if (inserted.length === 0) return
    await record(tx, {
      actor: { kind: 'system' },
      action: 'admin.created',
      subject: { kind: 'administrator', id: username },
    })
    announce({ username, ...(password === undefined && { generatedPassword: chosen }) })
  })
}

/** 120 random bits in characters that are easy to read out and type. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url')
}

async function hasAdministrators(db: Executor): Promise<boolean> {
  const rows = await db.select({ id: administrators.id }).from(administrators).limit(1)
  return rows.length > 0
}

/** By name, with their role and whether they have a second factor. */
export async function listAdministrators({ db }: Pick<Tools, 'db'>) {
  return await db
    .select({
      id: administrators.id,
      username: administrators.username,
      createdAt: administrators.createdAt,
      disabledAt: administrators.disabledAt,
      role: administrators.role,
      secondFactor: hasSecondFactor,
    })
    .from(administrators)
    .orderBy(asc(sql`lower(${administrators.username})`))
}

/** Returns the password, which is stored only as a hash. */
export async function createAdministrator(
  { db, passwords }: Tools,
  username: string,
  { role = 'owner', password = generatePassword() }: { role?: Role; password?: string } = {},
): Promise<string> {
  if (!accountName.schema.safeParse(username).success) {
    throw new AdministratorError(`A username must be ${accountName.mustBe}`)
  }
  const passwordHash = await passwords.hash(password)
  try {
    await transaction(db, async (tx) => {
      await tx.insert(administrators).values({ id: uuidv7(), username, passwordHash, role })
      await recordChange(tx, 'admin.created', username, { role })
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AdministratorError(`There is already an administrator ${username}`)
  }
  return password
}

/** Blocks sign-in, and ends the administrator's sessions, live connections, invitations and API tokens at once. */
export async function disableAdministrator({ db }: Tools, name: string): Promise<void> {
  await change(db, name, async (tx, { id, username, disabledAt }, owners) => {
    if (disabledAt) throw new AdministratorError(`${username} is already disabled`)
    if (isLast(owners, id)) throw lastOwner(username)
    await tx.update(administrators).set({ disabledAt: sql`now()` }).where(eq(administrators.id, id))
    await endStaffSessions(tx, id)
    await revokeAccessGrantedBy(tx, id, byOperator)
    return 'admin.disabled'
  })
}

/** Changes the role, and ends the administrator's sessions, live connections, invitations and API tokens at once. */
export async function setRole({ db }: Pick<Tools, 'db'>, name: string, role: Role): Promise<void> {
  await change(db, name, async (tx, { id, username, role: current }, owners) => {
    if (role === current) throw new AdministratorError(`${username} has the role ${role} already`)
    if (isLast(owners, id)) throw lastOwner(username)
    await tx.update(administrators).set({ role }).where(eq(administrators.id, id))
    await endStaffSessions(tx, id)
    await revokeAccessGrantedBy(tx, id, byOperator)
    return { action: 'admin.role_changed', details: { role: { from: current, to: role } } }
  })
}

const lastOwner = (username: string) =>
  new AdministratorError(`${username} is the last active owner. Make somebody else an owner first.`)

export async function enableAdministrator({ db }: Tools, name: string): Promise<void> {
  await change(db, name, async (tx, { id, username, disabledAt }) => {
    if (!disabledAt) throw new AdministratorError(`${username} is not disabled`)
    await tx.update(administrators).set({ disabledAt: null }).where(eq(administrators.id, id))
    return 'admin.enabled'
  })
}

/** Sets a new password, ends every session and forgets wrong guesses. Returns the password, stored only as a hash. */
export async function resetPassword({ db, passwords }: Tools, name: string): Promise<string> {
  const password = generatePassword()
  const passwordHash = await passwords.hash(password)
  await change(db, name, async (tx, { id }) => {
    await tx.update(administrators).set({ passwordHash }).where(eq(administrators.id, id))
    await endStaffSessions(tx, id)
    await forgetGuesses(tx, id)
    return 'admin.password_reset'
  })
  return password
}

/** Creates a one-time link for an administrator who is locked out. Returns its token. */
export async function makeSignInLink({ db }: Pick<Tools, 'db'>, name: string): Promise<string> {
  let token = ''
  await change(db, name, async (tx, { id, username, disabledAt }) => {
    if (disabledAt) throw new AdministratorError(`${username} is disabled. Enable the account first.`)
    token = await createSignInLink(tx, id)
    return 'admin.link_made'
  })
  return token
}

/** Removes the authenticator app and the passkeys of an administrator who has lost them. */
export async function resetSecondFactor({ db }: Tools, name: string): Promise<void> {
  await change(db, name, async (tx, { id, username }) => {
    if (!(await removeSecondFactors(tx, id))) throw new AdministratorError(`${username} has no second factor`)
    return 'admin.totp_reset'
  })
}

/** Forgets who an administrator is at the sign-in provider, and ends every session. */
export async function resetIdentity({ db }: Tools, name: string): Promise<void> {
  await change(db, name, async (tx, { id, username }) => {
    const reset = await tx
      .update(administrators)
      .set({ oidcIssuer: null, oidcSubject: null })
      .where(and(eq(administrators.id, id), isNotNull(administrators.oidcSubject)))
      .returning({ id: administrators.id })
    if (reset.length === 0)
      throw new AdministratorError(`${username} is not bound to an account of the sign-in provider`)
    await endStaffSessions(tx, id)
    return 'admin.identity_reset'
  })
}

type Administrator = Pick<typeof administrators.$inferSelect, 'id' | 'username' | 'role' | 'disabledAt'>
type Change = AuditAction | { readonly action: AuditAction; readonly details: AuditDetails }

/** Changes one locked administrator and records the returned change. The ids of the active owners are locked too. */
async function change(
  db: Context['db'],
  name: string,
  work: (tx: Transaction, administrator: Administrator, owners: ReadonlySet<string>) => Promise<Change>,
): Promise<void> {
  const { id, username, role, disabledAt } = administrators
  await transaction(db, async (tx) => {
    const owners = await lockActiveOwners(tx)
    const [locked] = await tx
      .select({ id, username, role, disabledAt })
      .from(administrators)
      .where(sameText(username, name))
      .for('update')
    if (!locked) throw new AdministratorError(`There is no administrator ${name}`)
    const changed = await work(tx, locked, owners)
    const { action, details } = typeof changed === 'string' ? { action: changed, details: {} } : changed
    await recordChange(tx, action, locked.username, details)
  })
}

const byOperator = { actor: { kind: 'system' }, details: { by: 'command line' } } as const

function recordChange(
  tx: Transaction,
  action: AuditAction,
  username: string,
  details: AuditDetails = {},
): Promise<void> {
  return record(tx, {
    actor: byOperator.actor,
    action,
    subject: { kind: 'administrator', id: username },
    details: { ...details, ...byOperator.details },
  })
}
