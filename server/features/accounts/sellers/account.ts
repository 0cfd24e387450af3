import { and, desc, eq, gte, isNull, or, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { signIn, UserAnswer } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { signedOut } from '#server/http/actor.ts'
import { Refusal, type RefusedField, refusedFields } from '#server/http/refusal.ts'
import type { Site } from '#server/platform/config/site.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow, sameText } from '#server/platform/database/queries.ts'
import { passkeys, paymentMethods, sessions, users } from '#server/platform/database/schema.ts'
import { enqueue, type JobPayloads, type SecurityEvent } from '#server/platform/jobs/jobs.ts'
import type { GuardedCheck } from '../credentials/known-browsers.ts'
import { confirmationPath, findConfirmationLink, revokeLinks } from './mailed-links.ts'

export type UserRow = typeof users.$inferSelect

/** The signed-in seller's own account. */
export async function ownAccount({ db, site }: Context, id: string): Promise<UserAnswer> {
  const user = await findUser(db, id)
  if (!user) throw signedOut()
  return toUser(user, site)
}

export function toUser(user: UserRow, site: Site): UserAnswer {
  return {
    ...user,
    mustConfirmEmail: mustConfirmEmail(user),
    showsAdminDashboard: site.adminUsernames.has(user.username.toLowerCase()),
  }
}

/** The last report that mail does not arrive, unless the account has left that address for another that it confirmed. */
export function bounceOf({ email, previousEmail, bounce }: UserRow): UserRow['bounce'] {
  const current = [email, previousEmail].map((address) => address?.toLowerCase())
  return bounce && current.includes(bounce.email) ? bounce : null
}

/** Whether payouts wait until the email address is confirmed. */
function mustConfirmEmail({ verified, confirmationWaived }: UserRow): boolean {
  return !verified && !confirmationWaived
}

/** Emails the link that confirms the address again, if payouts of the seller wait for that. @returns whether they do */
export async function remindToConfirm(tx: Transaction, userId: string): Promise<boolean> {
  const user = await lockUser(tx, userId)
  if (!user || user.deletedAt || !mustConfirmEmail(user)) return false
  await mailConfirmation(tx, user, 'asked')
  return true
}

export async function mailConfirmation(
  tx: Transaction,
  { id: userId, email }: UserRow,
  because: JobPayloads['confirmEmailMail']['because'],
): Promise<void> {
  await enqueue(tx, 'confirmEmailMail', uuidv7(), { userId, email, because })
}

/** The path of the newest link mailed to this address that still confirms it. Only for mails to the same address. */
export async function findConfirmationPath(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  userId: string,
  email: string,
): Promise<string | undefined> {
  const link = await findConfirmationLink(db, userId, email)
  return link && confirmationPath(keys, link.id)
}

/** Locks a seller's account for a change. Throws `Refusal` if the account does not exist or was deleted. */
export async function lockAccount(tx: Transaction, id: string): Promise<UserRow> {
  const user = await lockUser(tx, id)
  if (!user || user.deletedAt) throw signedOut()
  return user
}

/**
 * Emails the owner of an account about a change to it.
 * @param sid the session that made the change, to name its browser
 */
export async function enqueueSecurityEmail(
  tx: Transaction,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  notice: SecurityEvent,
  sid?: string,
): Promise<void> {
  const [session] = sid ? await tx.select().from(sessions).where(eq(sessions.sid, sid)) : []
  const userAgent = session?.sess.userAgent
  const at = new Date().toISOString()
  await enqueue(tx, 'accountMail', uuidv7(), {
    to: email,
    userId: id,
    notice,
    at,
    ...(userAgent && { userAgent }),
  })
}

export const EMAIL_TAKEN: RefusedField = { path: 'email', code: 'email_taken' }

export const emailTaken = () => refusedFields('taken', [EMAIL_TAKEN])

export async function findUser(db: Executor, id: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

async function findUserByEmail(db: Executor, email: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(sameText(users.email, email))
  return user
}

/** Until the transaction ends, nobody else can change the account or sign in to it. */
export async function lockUser(tx: Transaction, id: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  return user
}

export async function lockUserByEmail(tx: Transaction, email: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(sameText(users.email, email)).for('update')
  return user
}

/** Locks the account that owns the address, not one that only entered it in its profile. */
export async function lockOwnerOfEmail(tx: Transaction, email: string): Promise<UserRow | undefined> {
  const { email: current, previousEmail: previous } = users
  const owns = or(and(sameText(current, email), isNull(previous)), sameText(previous, email))
  const [user] = await tx.select().from(users).where(owns).for('update')
  return user
}

export async function updateUser(
  tx: Transaction,
  id: string,
  changed: Partial<Omit<UserRow, 'id' | 'createdAt'>>,
): Promise<UserRow> {
  return onlyRow(await tx.update(users).set(changed).where(eq(users.id, id)).returning())
}

/** Sets the password, revokes links that set one, and emails the owner. Returns the number of passkeys that still sign in. */
export async function setPassword(
  tx: Transaction,
  lockedUser: UserRow,
  passwordHash: string,
  methodsRemoved = false,
): Promise<number> {
  await updateUser(tx, lockedUser.id, { passwordHash })
  await revokeLinks(tx, lockedUser.id, 'reset_password')
  const count = await tx.$count(passkeys, eq(passkeys.userId, lockedUser.id))
  await enqueueSecurityEmail(tx, lockedUser, { kind: 'passwordChanged', methodsRemoved, passkeys: count })
  return count
}

/** Deletes the passkeys added since then, or all of them. */
export async function deletePasskeysSince(tx: Transaction, userId: string, since?: Date): Promise<void> {
  await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), since && gte(passkeys.createdAt, since)))
}

/**
 * Deletes saved payment methods, or all of them. If the default is among them, the newest remaining one becomes the default. Returns
 * what it deleted.
 */
export async function deleteMethods(tx: Transaction, userId: string, which?: SQL) {
  const isOwn = eq(paymentMethods.userId, userId)
  const deleted = await tx.delete(paymentMethods).where(and(isOwn, which)).returning()
  if (deleted.some(({ isDefault }) => isDefault)) {
    const newest = tx
      .select({ id: paymentMethods.id })
      .from(paymentMethods)
      .where(isOwn)
      .orderBy(desc(paymentMethods.id))
      .limit(1)
    await tx.update(paymentMethods).set({ isDefault: true }).where(eq(paymentMethods.id, newest))
  }
  return deleted
}

/** Returns the account. The refusal does not say whether the email or the password is wrong. */
export async function checkCredentials(
  { db, passwords }: Context,
  { email, password }: z.output<typeof signIn>,
  guarded: GuardedCheck,
): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  const isRight = await guarded({ account: user?.id, name: email }, () =>
    passwords.matches(user?.passwordHash, password),
  )
  if (!user || !isRight) throw wrongCredentials()
  return user
}

/** Throws `Refusal` if the password has changed since it was checked. */
export async function confirmPassword(tx: Transaction, { id, passwordHash }: UserRow): Promise<void> {
  const current = await findUser(tx, id)
  if (current?.passwordHash !== passwordHash) throw wrongCredentials()
}

export const wrongCredentials = () => new Refusal('invalid_credentials', 'refusals.wrong_credentials')
