import { v7 as uuidv7 } from 'uuid'
import type { AuditAction } from '#contract/audit.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { forgetGuesses } from '#server/http/limits/shared-limiter.ts'
import { accountName } from '#server/platform/config/config-values.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { removeSecondFactor } from '../second-factor/actions.ts'
import { createSignInLink } from '../sessions/sign-in-link.ts'
import { endStaffSessions } from '../sessions/sign-out.ts'
import { generatePassword } from './first-administrator.ts'
import * as queries from './queries.ts'

/** What the operator asked for cannot be done; the message is for them. */
export class AdministratorError extends OperatorError {
  override name = 'AdministratorError'
}

type Accounts = Pick<Context, 'db' | 'passwords'>

export async function listAdministrators({ db }: Accounts) {
  return queries.listAdministrators(db)
}

/** Creates an administrator. @returns the generated password, which is kept nowhere */
export async function createAdministrator(
  { db, passwords }: Accounts,
  username: string,
  password = generatePassword(),
): Promise<string> {
  if (!accountName.schema.safeParse(username).success) {
    throw new AdministratorError(`A username must be ${accountName.mustBe}`)
  }
  const passwordHash = await passwords.hash(password)
  try {
    await transaction(db, async (tx) => {
      await queries.insertAdministrator(tx, { id: uuidv7(), username, passwordHash })
      await note(tx, 'admin.created', username)
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AdministratorError(`There is an administrator ${username} already`)
  }
  return password
}

/** Keeps an administrator out from this moment on: their sessions and open screens end. */
export async function disableAdministrator({ db }: Accounts, name: string): Promise<void> {
  await change(db, name, async (tx, { id, username }) => {
    if (!(await queries.setDisabled(tx, id, true)))
      throw new AdministratorError(`${username} is disabled already`)
    await endStaffSessions(tx, id)
    return 'admin.disabled'
  })
}

export async function enableAdministrator({ db }: Accounts, name: string): Promise<void> {
  await change(db, name, async (tx, { id, username }) => {
    if (!(await queries.setDisabled(tx, id, false)))
      throw new AdministratorError(`${username} is not disabled`)
    return 'admin.enabled'
  })
}

/** Sets a new password, ends every session and forgets counted guesses. @returns the password, which is stored nowhere */
export async function resetPassword({ db, passwords }: Accounts, username: string): Promise<string> {
  const password = generatePassword()
  const passwordHash = await passwords.hash(password)
  await change(db, username, async (tx, { id }) => {
    await queries.setPassword(tx, id, passwordHash)
    await endStaffSessions(tx, id)
    await forgetGuesses(tx, id)
    return 'admin.password_reset'
  })
  return password
}

/** Creates a one-time sign-in link for an administrator who is locked out. @returns the link's token */
export async function makeSignInLink({ db }: Pick<Accounts, 'db'>, name: string): Promise<string> {
  let token = ''
  await change(db, name, async (tx, { id, username, disabledAt }) => {
    if (disabledAt) throw new AdministratorError(`${username} is disabled: enable them first`)
    token = await createSignInLink(tx, id)
    return 'admin.link_made'
  })
  return token
}

/** Switches the second factor off, for somebody who has lost the app and the recovery codes. */
export async function resetSecondFactor({ db }: Accounts, name: string): Promise<void> {
  await change(db, name, async (tx, { id, username }) => {
    if (!(await removeSecondFactor(tx, id))) throw new AdministratorError(`${username} has no second factor`)
    return 'admin.totp_reset'
  })
}

type Locked = NonNullable<Awaited<ReturnType<typeof queries.lockAdministrator>>>

/** Does something to one locked administrator, and writes it down. */
async function change(
  db: Context['db'],
  username: string,
  work: (tx: Transaction, administrator: Locked) => Promise<AuditAction>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const locked = await queries.lockAdministrator(tx, username)
    if (!locked) throw new AdministratorError(`There is no administrator ${username}`)
    await note(tx, await work(tx, locked), locked.username)
  })
}

function note(tx: Transaction, action: AuditAction, username: string): Promise<void> {
  return record(tx, {
    actor: { kind: 'system' },
    action,
    subject: { kind: 'administrator', id: username },
    details: { by: 'command line' },
  })
}
