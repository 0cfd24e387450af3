import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { profile } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { removeMethodsSince } from '../payment-methods/actions.ts'
import { endSellerSessions } from '../sessions/sign-out.ts'
import { newToken } from '../sessions/token.ts'
import { emailTaken, lockAccount, notifyOwner } from './actions.ts'
import { claimEmail, mailConfirmation, ownEmail, returnToOwnEmail, revokeLinks } from './email.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { type UserRow, updateUser } from './queries.ts'
import { findRestoreLink, revoke, type TokenRow } from './token-queries.ts'
import { createToken, readToken, useToken } from './tokens.ts'

/**
 * Changes name and e-mail. The new address gets a link to confirm it. The last address
 * that was confirmed or registered gets a link to undo the change.
 */
export async function updateProfile(
  context: Context,
  seller: Seller,
  fields: z.output<typeof profile>,
): Promise<UserRow> {
  try {
    return await transaction(context.db, async (tx) => {
      const lockedUser = await lockAccount(tx, seller.id)
      const { firstName, lastName, email } = fields
      if (!isSameEmail(lockedUser.email, email)) await changeEmail(tx, context, lockedUser, email)
      return updateUser(tx, seller.id, { firstName, lastName, email })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken()
    throw error
  }
}

const isSameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

async function changeEmail(
  tx: Transaction,
  { keys }: Context,
  lockedUser: UserRow,
  newEmail: string,
): Promise<void> {
  const own = ownEmail(lockedUser)
  if (isSameEmail(own.email, newEmail)) {
    const back = await returnToOwnEmail(tx, lockedUser)
    if (!back.verified) await mailConfirmation(tx, back, 'changed')
    return
  }
  await claimEmail(tx, newEmail, lockedUser.id)
  await revokeLinks(tx, lockedUser.id)
  // One link for all changes of these days: it undoes what was done since the first one.
  const tokenId = (await findRestoreLink(tx, lockedUser.id, own.email))?.id ?? uuidv7()
  await createToken(tx, keys, {
    id: tokenId,
    userId: lockedUser.id,
    purpose: 'restore_email',
    email: own.email,
    emailVerified: own.verified,
  })
  const changed = await updateUser(tx, lockedUser.id, {
    email: newEmail,
    verified: false,
    previousEmail: own.email,
    previousEmailVerified: own.verified,
  })
  await notifyOwner(tx, own, { kind: 'emailChanged', newEmail: own.verified ? newEmail : null, tokenId })
  await mailConfirmation(tx, changed, 'changed')
}

/**
 * Gives an account its earlier address back, for whoever reads the mails there. Everybody is signed out and
 * the password works no more, as the other one may know it; a link that sets a new one is on its way.
 */
export async function restoreEmail(context: Context, token: string): Promise<void> {
  const link = await readToken(context.db, 'restore_email', token)
  const passwordHash = await context.passwords.hash(newToken())
  try {
    await transaction(context.db, async (tx) => {
      const lockedUser = await lockAccount(tx, link.userId)
      await useToken(tx, link)
      await updateUser(tx, lockedUser.id, {
        email: link.email,
        verified: link.emailVerified,
        previousEmail: null,
        previousEmailVerified: false,
        passwordHash,
      })
      await shutOut(tx, link)
      await enqueue(tx, 'passwordResetMail', link.id, { email: link.email, because: 'emailRestored' })
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('taken', 'This email belongs to another account now. Please contact support.')
  }
}

/** Nothing that whoever had the account meanwhile holds works any more: no session, browser or link. */
async function shutOut(tx: Transaction, { userId, createdAt }: TokenRow): Promise<void> {
  // Or the next card would be paid to them.
  await removeMethodsSince(tx, userId, createdAt)
  await endSellerSessions(tx, userId)
  await forgetBrowsers(tx, userId)
  await revokeLinks(tx, userId)
  await revoke(tx, userId, 'restore_email', { since: createdAt })
}
