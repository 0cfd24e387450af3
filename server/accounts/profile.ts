import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { profile } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/database/errors.ts'
import type { Transaction } from '#server/database/pool.ts'
import { transaction } from '#server/database/transaction.ts'
import type { Seller } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import { enqueue } from '#server/jobs/jobs.ts'
import { removeMethodsSince } from '#server/payment-methods/actions.ts'
import { endSellerSessions } from '#server/sessions/sign-out.ts'
import { newToken } from '#server/sessions/token.ts'
import { EMAIL_TAKEN, lockAccount, notifyOwner, refuseTaken } from './actions.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { findUserByEmail, type UserRow, updateUser } from './queries.ts'
import { isReserved, revoke, type TokenRow } from './token-queries.ts'
import { createToken, readToken, useToken } from './tokens.ts'

/** Changes name and e-mail. The address that an account leaves is mailed a link that takes it back. */
export async function updateProfile(
  context: Context,
  seller: Seller,
  fields: z.output<typeof profile>,
): Promise<UserRow> {
  try {
    return await transaction(context.db, async (tx) => {
      const lockedUser = await lockAccount(tx, seller.id)
      if (!isSameEmail(lockedUser.email, fields.email))
        await leaveEmail(tx, context, lockedUser, fields.email)
      const { firstName, lastName, email } = fields
      return await updateUser(tx, seller.id, { firstName, lastName, email })
    })
  } catch (error) {
    if (isUniqueViolation(error)) refuseTaken([EMAIL_TAKEN])
    throw error
  }
}

const isSameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

async function leaveEmail(
  tx: Transaction,
  { keys }: Context,
  lockedUser: UserRow,
  newEmail: string,
): Promise<void> {
  // In this order: an address that its owner leaves meanwhile is reserved before it is free.
  const taken = (await findUserByEmail(tx, newEmail)) !== undefined
  if (taken || (await isReserved(tx, newEmail, lockedUser.id))) refuseTaken([EMAIL_TAKEN])
  const { id: userId, email } = lockedUser
  const tokenId = uuidv7()
  await createToken(tx, keys, { id: tokenId, userId, purpose: 'restore_email', email })
  // What was mailed to the old address opens nothing any more, but for the link back.
  await revoke(tx, userId, 'reset_password')
  await notifyOwner(tx, lockedUser, { kind: 'emailChanged', newEmail, tokenId })
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
      await updateUser(tx, lockedUser.id, { email: link.email, passwordHash })
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
  await revoke(tx, userId, 'reset_password')
  await revoke(tx, userId, 'restore_email', { since: createdAt })
}
