import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { accountRoutes, passwordChange } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid, type Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { removeAllMethods } from '../payment-methods/actions.ts'
import { endSellerSessions } from '../sessions/sign-out.ts'
import { lockAccount, notifyOwner, refuseCommonPassword } from './actions.ts'
import { confirmed } from './email.ts'
import { forgetBrowsers, type GuardedCheck } from './known-browsers.ts'
import { findUser, type UserRow, updateUser } from './queries.ts'
import { revoke } from './token-queries.ts'
import { readToken, useToken } from './tokens.ts'

/**
 * Changes the password of somebody who knows the current one. It ends all other sessions, forgets the other
 * browsers and links that were mailed, and tells the owner.
 */
export async function changePassword(
  context: Context,
  seller: Seller,
  { currentPassword, newPassword }: z.output<typeof passwordChange>,
  { guarded, browser }: { guarded: GuardedCheck; browser: string | undefined },
): Promise<void> {
  const { db, passwords } = context
  const user = await findUser(db, seller.id)
  const right = await guarded({ account: seller.id, name: seller.username }, () =>
    passwords.matches(user?.passwordHash, currentPassword),
  )
  if (!right) throw wrongCurrent()
  await refuseCommonPassword(newPassword, 'newPassword')
  const passwordHash = await passwords.hash(newPassword)
  await transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    // Changed by another request while this one was hashing.
    if (lockedUser.passwordHash !== user?.passwordHash) throw wrongCurrent()
    await setPassword(tx, lockedUser, passwordHash)
    await endSellerSessions(tx, seller.id, { except: seller.sid })
    await forgetBrowsers(tx, seller.id, { except: browser })
  })
}

function wrongCurrent(): Refusal {
  return invalid([{ path: 'currentPassword', message: 'Current password is incorrect' }])
}

/**
 * Asks for a link that sets a new password. Whether there is such an account is looked up later, by the job:
 * here it is the same work for every address.
 */
export async function askForReset({ db }: Context, email: string): Promise<void> {
  await transaction(db, (tx) => enqueue(tx, 'passwordResetMail', uuidv7(), { email, because: 'asked' }))
}

/**
 * Sets a new password by a mailed link, which is used up by it, and ends all sessions. The link also proves the address.
 * If nobody had proved it before, a stranger may have opened the account with it: their payment methods are removed.
 */
export async function resetPassword(
  context: Context,
  { token, password }: z.output<typeof accountRoutes.resetPassword.body>,
): Promise<{ userId: string; methodsRemoved: boolean }> {
  const { db, passwords } = context
  const link = await readToken(db, 'reset_password', token)
  await refuseCommonPassword(password)
  const passwordHash = await passwords.hash(password)
  return transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, link.userId)
    await useToken(tx, link)
    const methodsRemoved = !lockedUser.verified && (await removeAllMethods(tx, lockedUser.id))
    await setPassword(tx, lockedUser, passwordHash, methodsRemoved)
    await updateUser(tx, lockedUser.id, confirmed)
    await revoke(tx, lockedUser.id, 'confirm_email')
    await endSellerSessions(tx, lockedUser.id)
    await forgetBrowsers(tx, lockedUser.id)
    return { userId: lockedUser.id, methodsRemoved }
  })
}

async function setPassword(
  tx: Transaction,
  lockedUser: UserRow,
  passwordHash: string,
  methodsRemoved = false,
): Promise<void> {
  await updateUser(tx, lockedUser.id, { passwordHash })
  await revoke(tx, lockedUser.id, 'reset_password')
  await notifyOwner(tx, lockedUser, { kind: 'passwordChanged', methodsRemoved })
}
