import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { adminSignIn, registration, signIn, User } from '#contract/accounts.ts'
import type { FieldError } from '#contract/errors.ts'
import { record } from '#server/audit/actions.ts'
import type { Context, Site } from '#server/context.ts'
import { isUniqueViolation } from '#server/database/errors.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import { isCommonPassword } from './common-passwords.ts'
import * as queries from './queries.ts'

/** A person as the session needs to know them. */
export interface Account {
  readonly id: string
  readonly username: string
}

/** Creates a seller's account. Throws `Refusal` when a field is taken, reserved or a leaked password. */
export async function register(
  context: Context,
  fields: z.output<typeof registration>,
): Promise<queries.UserRow> {
  await refuseCommonPassword(fields.password)
  refuseTaken(await takenFields(context, fields))
  const { password, ...user } = fields
  const passwordHash = await context.passwords.hash(password)
  try {
    return await context.db.transaction((tx) =>
      queries.insertUser(tx, { id: uuidv7(), ...user, phoneNumber: user.phoneNumber ?? null, passwordHash }),
    )
  } catch (error) {
    // Somebody else took the name while this password was hashed.
    if (isUniqueViolation(error)) refuseTaken(await takenFields(context, fields))
    throw error
  }
}

async function refuseCommonPassword(password: string): Promise<void> {
  if (!(await isCommonPassword(password))) return
  throw invalid([
    { path: 'password', message: 'This password is on lists of leaked passwords. Please choose another.' },
  ])
}

async function takenFields(
  { db, site }: Context,
  fields: { email: string; username: string },
): Promise<FieldError[]> {
  const taken = await queries.findTaken(db, fields)
  const errors: FieldError[] = []
  if (taken.username || site.adminUsernames.has(fields.username.toLowerCase())) {
    errors.push({ path: 'username', message: 'This username is already taken' })
  }
  if (taken.email) errors.push({ path: 'email', message: 'This email is already registered' })
  return errors
}

function refuseTaken(errors: readonly FieldError[]): void {
  const [first] = errors
  if (first) throw new Refusal('taken', first.message, { errors })
}

/** The account of an e-mail and its password; which of the two is wrong, nobody learns. */
export async function checkCredentials(
  { db, passwords }: Context,
  { email, password }: z.output<typeof signIn>,
): Promise<queries.UserRow> {
  const user = await queries.findUserByEmail(db, email)
  const right = await passwords.matches(user?.passwordHash, password)
  if (!user || !right) throw new Refusal('invalid_credentials', 'Invalid credentials')
  return user
}

/** The same for administrators; each try is in the audit log. */
export async function checkAdminCredentials(
  { db, passwords }: Context,
  { username, password }: z.output<typeof adminSignIn>,
): Promise<Account> {
  const found = await queries.findAdministratorByUsername(db, username)
  const administrator = found?.disabledAt === null ? found : undefined
  const right = await passwords.matches(administrator?.passwordHash, password)
  const account = right ? administrator : undefined
  await db.transaction((tx) =>
    record(tx, {
      actor: account ? { kind: 'staff', ...account } : { kind: 'visitor' },
      action: account ? 'admin.signed_in' : 'admin.sign_in_refused',
      subject: { kind: 'administrator', id: username },
    }),
  )
  if (!account) throw new Refusal('invalid_credentials', 'Invalid admin credentials')
  return account
}

/** The signed-in seller's own account. */
export async function ownAccount({ db, site }: Context, id: string): Promise<User> {
  const user = await queries.findUser(db, id)
  if (!user) throw new Refusal('signed_out', 'Please sign in')
  return toUser(user, site)
}

export function toUser(user: queries.UserRow, site: Site): User {
  return {
    ...user,
    createdAt: user.createdAt.toISOString(),
    showsAdminDashboard: site.adminUsernames.has(user.username.toLowerCase()),
  }
}
