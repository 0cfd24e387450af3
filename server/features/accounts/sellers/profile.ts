import { gte } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { profile } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { paymentMethods } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { forgetBrowsers } from '../credentials/known-browsers.ts'
import { removeApp } from '../credentials/second-factor.ts'
import { newToken } from '../sessions/cookies.ts'
import { endSessions } from '../sessions/own-sessions.ts'
import {
  deleteMethods,
  deletePasskeysSince,
  emailTaken,
  enqueueSecurityEmail,
  lockAccount,
  mailConfirmation,
  type UserRow,
  updateUser,
} from './account.ts'
import { acquireEmail, isSameEmail, ownEmail, returnToOwnEmail, revokeAddressLinks } from './email.ts'
import { createLink, findRestoreLink, type LinkRow, readLink, revokeLinks, useLink } from './mailed-links.ts'

/**
 * Changes the name and the email. The new address gets a link that confirms it; the address the account owns gets a link
 * that undoes the change.
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

async function changeEmail(
  tx: Transaction,
  { keys }: Context,
  lockedUser: UserRow,
  newEmail: string,
): Promise<void> {
  const own = ownEmail(lockedUser)
  if (isSameEmail(own.email, newEmail)) {
    const returned = await returnToOwnEmail(tx, lockedUser)
    if (!returned.verified) await mailConfirmation(tx, returned, 'changed')
    return
  }
  await acquireEmail(tx, newEmail, lockedUser.id)
  await revokeAddressLinks(tx, lockedUser.id)
  // Changes in quick succession share one link, which undoes everything since the first.
  const tokenId = (await findRestoreLink(tx, lockedUser.id, own.email))?.id ?? uuidv7()
  await createLink(tx, keys, {
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
    confirmationWaived: false,
  })
  const shownEmail = own.verified ? newEmail : null
  const to = { id: lockedUser.id, email: own.email }
  await enqueueSecurityEmail(tx, to, { kind: 'emailChanged', newEmail: shownEmail, tokenId })
  await mailConfirmation(tx, changed, 'changed')
}

/**
 * Gives an account its earlier address back. Ends every session and invalidates the password, which someone else may
 * know, and mails a link that sets a new one. Emails the confirmed address that the account loses.
 */
export async function restoreEmail(context: Context, token: string): Promise<void> {
  const link = await readLink(context.db, 'restore_email', token)
  const passwordHash = await context.passwords.hash(newToken())
  try {
    await transaction(context.db, async (tx) => {
      const lockedUser = await lockAccount(tx, link.userId)
      await useLink(tx, link)
      const lost = ownEmail(lockedUser)
      if (lost.verified && !isSameEmail(lost.email, link.email)) {
        await enqueueSecurityEmail(tx, { id: lockedUser.id, email: lost.email }, { kind: 'emailUndone' })
      }
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
    throw new Refusal('taken', 'refusals.email_lost')
  }
}

/** Removes everything an intruder may have: sessions, browsers, links, and what was added since the change. */
async function shutOut(tx: Transaction, { userId, createdAt }: LinkRow): Promise<void> {
  await deleteMethods(tx, userId, gte(paymentMethods.createdAt, createdAt))
  await deletePasskeysSince(tx, userId, createdAt)
  await removeApp(tx, userId, createdAt)
  await endSessions(tx, { kind: 'seller', id: userId })
  await forgetBrowsers(tx, userId)
  await revokeAddressLinks(tx, userId)
  await revokeLinks(tx, userId, 'restore_email', { since: createdAt })
}
