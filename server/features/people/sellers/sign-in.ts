import type { z } from 'zod'
import type { signIn } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import type { GuardedCheck } from '../known-browsers.ts'
import { findUser, findUserByEmail, type UserRow } from './account.ts'

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

const wrongCredentials = () => new Refusal('invalid_credentials', 'Invalid credentials')
