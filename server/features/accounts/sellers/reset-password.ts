import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { accountRoutes } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { forgetBrowsers } from '../credentials/known-browsers.ts'
import { refuseCommonPassword } from '../credentials/password.ts'
import { endSessions } from '../sessions/own-sessions.ts'
import { deleteMethods, deletePasskeysSince, lockAccount, setPassword, updateUser } from './account.ts'
import { confirmed, isSameEmail, returnToOwnEmail } from './email.ts'
import { linkRefused, readLink, revokeLinks, useLink } from './mailed-links.ts'

/** Enqueues a reset link. The job looks the account up, so the response takes equally long for every address. */
export async function requestReset({ db }: Context, email: string): Promise<void> {
  await transaction(db, (tx) => enqueue(tx, 'passwordResetMail', uuidv7(), { email, because: 'asked' }))
}

/**
 * Sets a new password by a mailed link and ends all sessions. The link also confirms the address, and drops a new address
 * that is not confirmed yet. If nobody had confirmed it, a stranger may have opened the account, so payment methods,
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
    const methodsRemoved = !user.verified && (await deleteMethods(tx, user.id)).length > 0
    if (!user.verified) {
      await deletePasskeysSince(tx, user.id)
      await revokeLinks(tx, user.id, 'restore_email')
    }
    const passkeys = await setPassword(tx, user, passwordHash, methodsRemoved)
    await updateUser(tx, user.id, confirmed)
    await endSessions(tx, { kind: 'seller', id: user.id })
    await forgetBrowsers(tx, user.id)
    return { userId: user.id, methodsRemoved, passkeys }
  })
}
