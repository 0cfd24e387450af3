import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { passwordChange } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { invalid, type Refusal } from '#server/http/refusal.ts'
import { isCommonPassword } from '#server/platform/config/common-passwords.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { administrators, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { endSessions } from '../sessions/own-sessions.ts'
import { forgetBrowsers, type GuardedCheck } from './known-browsers.ts'
import { type Account, lockOwner, type Person } from './owner.ts'

/**
 * Asks for the password of somebody who is signed in, before what a borrowed browser must not do. Throws `Refusal` that names
 * the field. Returns the hash, to notice a change of the password after the check.
 */
export async function requirePassword(
  { db, passwords }: Context,
  guarded: GuardedCheck,
  person: Person,
  password: string,
  field = 'password',
): Promise<string> {
  const passwordHash = await findPasswordHash(db, person)
  const isRight = await guarded({ account: person.id, name: person.username }, () =>
    passwords.matches(passwordHash, password),
  )
  if (passwordHash === undefined || !isRight) throw wrongPassword(field)
  return passwordHash
}

async function findPasswordHash(db: Executor, { kind, id }: Account): Promise<string | undefined> {
  const accounts = kind === 'seller' ? users : administrators
  const [found] = await db.select({ hash: accounts.passwordHash }).from(accounts).where(eq(accounts.id, id))
  return found?.hash
}

export function wrongPassword(path = 'password'): Refusal {
  return invalid([{ path, code: 'current_password_wrong' }])
}

/** Throws `Refusal`, naming the field, for a commonly leaked password. */
export async function refuseCommonPassword(password: string, path = 'password'): Promise<void> {
  if (!isCommonPassword(password)) return
  throw invalid([{ path, code: 'password_leaked' }])
}

/** Ends all other sessions, forgets the other browsers, revokes links, and tells the seller by email or the audit log. */
export async function changePassword(
  context: Context,
  person: Person,
  { currentPassword, newPassword }: z.output<typeof passwordChange>,
  { guarded, browser }: { guarded: GuardedCheck; browser: string | undefined },
): Promise<void> {
  const checkedHash = await requirePassword(context, guarded, person, currentPassword, 'currentPassword')
  await refuseCommonPassword(newPassword, 'newPassword')
  const passwordHash = await context.passwords.hash(newPassword)
  await transaction(context.db, async (tx) => {
    const owner = await lockOwner(tx, person)
    if (owner.passwordHash !== checkedHash) throw wrongPassword('currentPassword')
    await owner.setPassword(passwordHash)
    await endSessions(tx, person, { except: person.sid })
    await forgetBrowsers(tx, person.id, { except: browser })
  })
}
