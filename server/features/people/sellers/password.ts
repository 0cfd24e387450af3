import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { accountRoutes, passwordChange } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, type Refusal } from '#server/http/refusal.ts'
import { isCommonPassword } from '#server/platform/config/common-passwords.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { forgetBrowsers, type GuardedCheck } from '../credentials/known-browsers.ts'
import { endSellerSessions } from '../sessions/seller-sessions.ts'
import {
  countPasskeys,
  deletePasskeysSince,
  enqueueSecurityEmail,
  findUser,
  lockAccount,
  type UserRow,
  updateUser,
} from './account.ts'
import { confirmed, isSameEmail, returnToOwnEmail } from './email.ts'
import { linkRefused, readLink, revokeLinks, useLink } from './mailed-links.ts'
import { deleteAllMethods } from './payment-methods.ts'

/** Throws `Refusal`, naming the field, for a commonly leaked password. */
export async function refuseCommonPassword(password: string, path = 'password'): Promise<void> {
  if (!isCommonPassword(password)) return
  throw invalid([{ path, code: 'password_leaked' }])
}

/** Asks for the password of somebody who is signed in, before what a borrowed browser must not do. Throws `Refusal`. */
export async function requireSellerPassword(
  { db, passwords }: Context,
  guarded: GuardedCheck,
  { id, username }: Seller,
  password: string,
): Promise<void> {
  const user = await findUser(db, id)
  const isRight = await guarded({ account: id, name: username }, () =>
    passwords.matches(user?.passwordHash, password),
  )
  if (!isRight) throw invalid([{ path: 'password', code: 'current_password_wrong' }])
}

/** Ends all other sessions, forgets the other browsers, revokes reset links, and emails the owner. */
export async function changePassword(
  context: Context,
  seller: Seller,
  { currentPassword, newPassword }: z.output<typeof passwordChange>,
  { guarded, browser }: { guarded: GuardedCheck; browser: string | undefined },
): Promise<void> {
  const { db, passwords } = context
  const user = await findUser(db, seller.id)
  const isRight = await guarded({ account: seller.id, name: seller.username }, () =>
    passwords.matches(user?.passwordHash, currentPassword),
  )
  if (!isRight) throw wrongCurrent()
  await refuseCommonPassword(newPassword, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  await transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    // Another request changed it in the meantime.
    if (lockedUser.passwordHash !== user?.passwordHash) throw wrongCurrent()
    await setPassword(tx, lockedUser, passwordHash)
    await endSellerSessions(tx, seller.id, { except: seller.sid })
    await forgetBrowsers(tx, seller.id, { except: browser })
  })
}

function wrongCurrent(): Refusal {
  return invalid([{ path: 'currentPassword', code: 'current_password_wrong' }])
}

/** Enqueues a reset link. The job looks the account up, so the response takes equally long for every address. */
export async function requestReset({ db }: Context, email: string): Promise<void> {
  await transaction(db, (tx) => enqueue(tx, 'passwordResetMail', uuidv7(), { email, because: 'asked' }))
}

/**
 * Sets a new password by a mailed link and ends all sessions. The link also confirms the address, and drops a new one that
 * waits for its confirmation. If nobody had confirmed it, a stranger may have opened the account, so payment methods,
 * passkeys and links to other addresses are removed. Otherwise passkeys stay: the email names their number.
 */
export async function resetPassword(
  context: Context,
  { token, password }: z.output<typeof accountRoutes.resetPassword.body>,
): Promise<{ userId: string; methodsRemoved: boolean; passkeys: number }> {
  const { db, passwords } = context
  const link = await readLink(db, 'reset_password', token)
  await refuseCommonPassword(password)
  const passwordHash = await passwords.hash(password)
  return transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, link.userId)
    await useLink(tx, link)
    const user = await returnToOwnEmail(tx, lockedUser)
    // The account has confirmed another address since the link was mailed.
    if (!isSameEmail(user.email, link.email)) throw linkRefused('reset_password')
    const methodsRemoved = !user.verified && (await deleteAllMethods(tx, user.id))
    if (!user.verified) {
      await deletePasskeysSince(tx, user.id)
      await revokeLinks(tx, user.id, 'restore_email')
    }
    const passkeys = await setPassword(tx, user, passwordHash, methodsRemoved)
    await updateUser(tx, user.id, confirmed)
    await endSellerSessions(tx, user.id)
    await forgetBrowsers(tx, user.id)
    return { userId: user.id, methodsRemoved, passkeys }
  })
}

/** Returns the number of passkeys that still sign in. */
async function setPassword(
  tx: Transaction,
  lockedUser: UserRow,
  passwordHash: string,
  methodsRemoved = false,
): Promise<number> {
  await updateUser(tx, lockedUser.id, { passwordHash })
  await revokeLinks(tx, lockedUser.id, 'reset_password')
  const passkeys = await countPasskeys(tx, lockedUser.id)
  await enqueueSecurityEmail(tx, lockedUser, { kind: 'passwordChanged', methodsRemoved, passkeys })
  return passkeys
}
