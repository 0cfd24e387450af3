import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { adminLinkSignIn, adminSignIn, signIn, User } from '#contract/accounts.ts'
import type { FieldError } from '#contract/errors.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { signedOut } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import { isCommonPassword } from '#server/platform/config/common-passwords.ts'
import type { Site } from '#server/platform/config/site.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { type AccountNotice, enqueue } from '#server/platform/jobs/jobs.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import { codeRefusal, passSecondFactor } from '../second-factor/actions.ts'
import { findByLink, takeLink } from '../sessions/sign-in-link.ts'
import type { GuardedCheck } from './known-browsers.ts'
import * as queries from './queries.ts'

/** Throws `Refusal` for a commonly leaked password, at the field that it was sent in. */
export async function refuseCommonPassword(password: string, path = 'password'): Promise<void> {
  if (!isCommonPassword(password)) return
  throw invalid([{ path, message: 'This password is on lists of leaked passwords. Please choose another.' }])
}

export const EMAIL_TAKEN: FieldError = { path: 'email', message: 'This email is already registered' }

export const emailTaken = () => new Refusal('taken', EMAIL_TAKEN.message, { errors: [EMAIL_TAKEN] })

export function refuseTaken(errors: readonly FieldError[]): void {
  const [first] = errors
  if (first) throw new Refusal('taken', first.message, { errors })
}

/** The account of an e-mail and its password; which of the two is wrong, nobody learns. */
export async function checkCredentials(
  { db, passwords }: Context,
  { email, password }: z.output<typeof signIn>,
  guarded: GuardedCheck,
): Promise<queries.UserRow> {
  const user = await queries.findUserByEmail(db, email)
  const right = await guarded({ account: user?.id, name: email }, () =>
    passwords.matches(user?.passwordHash, password),
  )
  if (!user || !right) throw new Refusal('invalid_credentials', 'Invalid credentials')
  return user
}

/** What the audit log says about how an administrator signed in. */
type SignInDetails = Readonly<Record<string, string>>

/** The same for administrators; each refused try is in the audit log. `recordAdminSignIn` writes the success. */
export async function checkAdminCredentials(
  context: Context,
  { username, password, code }: z.output<typeof adminSignIn>,
  guarded: GuardedCheck,
): Promise<{ administrator: queries.AdministratorRow; details: SignInDetails }> {
  const { db, passwords } = context
  const found = await queries.findAdministratorByUsername(db, username)
  const administrator = found?.disabledAt === null ? found : undefined
  const right = await guarded({ account: administrator?.id, name: username }, () =>
    passwords.matches(administrator?.passwordHash, password),
  )
  if (!right || !administrator) {
    await transaction(db, (tx) =>
      record(tx, {
        actor: { kind: 'visitor' },
        action: 'admin.sign_in_refused',
        subject: { kind: 'administrator', id: found?.username ?? unknownName(context, username) },
      }),
    )
    throw new Refusal('invalid_credentials', 'Invalid admin credentials')
  }
  return { administrator, details: await checkCode(context, administrator, code) }
}

/** Hides an unknown username behind a keyed hash, because people type passwords into the wrong field. */
function unknownName({ keys }: Context, username: string): string {
  const hash = blindIndex(keys, 'unknown_administrator', username.toLowerCase())
  return `unknown ${hash.toString('hex').slice(0, 16)}`
}

/** Returns the administrator that a sign-in link belongs to. Does not use the link up; signing in does. */
export async function checkAdminLink(
  context: Context,
  { token, code }: z.output<typeof adminLinkSignIn>,
): Promise<{ administrator: { id: string; username: string }; details: SignInDetails }> {
  const administrator = await findByLink(context.db, token)
  if (!administrator) throw linkRefused()
  const details = await checkCode(context, administrator, code, { with: 'a link from the command line' })
  return { administrator, details }
}

/** Part of the transaction that starts the session: the audit log has no sign-in that failed after all. */
export async function recordAdminSignIn(
  tx: Transaction,
  { id, username }: { id: string; username: string },
  details: SignInDetails,
): Promise<void> {
  await record(tx, {
    actor: { kind: 'staff', id, username },
    action: 'admin.signed_in',
    subject: { kind: 'administrator', id: username },
    details,
  })
}

/** Uses the link up. Throws `Refusal` when another request was faster. */
export async function takeAdminLink(tx: Transaction, token: string): Promise<void> {
  if (!(await takeLink(tx, token))) throw linkRefused()
}

function linkRefused(): Refusal {
  const message = 'This link was used already or is too old. Please ask the operator for a new one.'
  return invalid([{ path: 'token', message }])
}

/**
 * The second step of an administrator's sign-in. A code that is missing or wrong is recorded and throws `Refusal`.
 * @returns the details, with the factor that was used
 */
async function checkCode(
  context: Context,
  { id, username }: { id: string; username: string },
  code: string | undefined,
  details: SignInDetails = {},
): Promise<SignInDetails> {
  const factor = await passSecondFactor(context, id, code)
  const isRefused = factor === 'missing' || factor === 'wrong' || factor === 'paused'
  if (!isRefused) return { ...details, ...(factor && { factor }) }
  await transaction(context.db, (tx) =>
    record(tx, {
      actor: { kind: 'visitor' },
      // A right password without the phone leaves a trace too.
      action: factor === 'missing' ? 'admin.code_asked' : 'admin.sign_in_refused',
      subject: { kind: 'administrator', id: username },
      details: factor === 'missing' ? details : { ...details, factor },
    }),
  )
  throw codeRefusal(factor)
}

/** Throws `Refusal` when the password is no longer the one that was checked: its sessions have ended. */
export async function confirmPassword(tx: Transaction, { id, passwordHash }: queries.UserRow): Promise<void> {
  const current = await queries.findUser(tx, id)
  if (current?.passwordHash !== passwordHash) throw new Refusal('invalid_credentials', 'Invalid credentials')
}

/** The same for an administrator, whom the operator may have given another password. */
export async function confirmAdminPassword(
  tx: Transaction,
  { username, passwordHash }: queries.AdministratorRow,
): Promise<void> {
  const current = await queries.findAdministratorByUsername(tx, username)
  if (current?.passwordHash === passwordHash) return
  throw new Refusal('invalid_credentials', 'Invalid admin credentials')
}

/** Locks a seller's account for a change that belongs to it. Throws `Refusal` when it is gone. */
export async function lockAccount(tx: Transaction, id: string): Promise<queries.UserRow> {
  const user = await queries.lockUser(tx, id)
  if (!user) throw signedOut()
  return user
}

/** Mails the owner of an account about a change of it, at the address that it has now. */
export async function notifyOwner(
  tx: Transaction,
  { email }: Pick<queries.UserRow, 'email'>,
  notice: AccountNotice,
): Promise<void> {
  await enqueue(tx, 'accountMail', uuidv7(), { to: email, notice })
}

/** The signed-in seller's own account. */
export async function ownAccount({ db, site }: Context, id: string): Promise<User> {
  const user = await queries.findUser(db, id)
  if (!user) throw signedOut()
  return toUser(user, site)
}

/** The signed-in administrator, with what sellers think of them. */
export async function ownAdministrator({ db }: Context, id: string) {
  const administrator = await queries.findAdministratorRating(db, id)
  if (!administrator) throw signedOut('staff')
  return administrator
}

export function toUser(user: queries.UserRow, site: Site): User {
  return {
    ...user,
    lastVisit: user.lastVisit?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    showsAdminDashboard: site.adminUsernames.has(user.username.toLowerCase()),
  }
}
