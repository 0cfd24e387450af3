import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import {
  emailTaken,
  enqueueSecurityEmail,
  lockAccount,
  lockUserByEmail,
  mailConfirmation,
  type UserRow,
  updateUser,
} from './account.ts'
import { isReserved, readLink, revokeLinks, useLink } from './mailed-links.ts'

// An account owns the address it was registered with until it confirms another. While a new address from its profile is
// unconfirmed, the account keeps its own address in `previousEmail`, and other accounts can still take the new one.

/** The columns of an account whose current address is confirmed. */
export const confirmed = {
  verified: true,
  previousEmail: null,
  previousEmailVerified: false,
  bounce: null,
} as const

/** The address the account owns: the last one it confirmed or was registered with. */
export function ownEmail(user: UserRow): { email: string; verified: boolean } {
  return user.previousEmail === null
    ? { email: user.email, verified: user.verified }
    : { email: user.previousEmail, verified: user.previousEmailVerified }
}

export const isSameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Makes an address available to the account that this transaction gives it to. An account that only entered it in its
 * profile goes back to its own address. Throws `Refusal` if another account owns it.
 */
export async function acquireEmail(tx: Transaction, email: string, accountId?: string): Promise<void> {
  // In this order, because an address is reserved before its owner leaves it.
  const holder = await lockUserByEmail(tx, email)
  if (holder?.previousEmail === null) throw emailTaken()
  if (await isReserved(tx, email, accountId)) throw emailTaken()
  if (!holder) return
  const returned = await returnToOwnEmail(tx, holder)
  await enqueueSecurityEmail(tx, returned, { kind: 'emailFellBack' })
}

/** Drops an unconfirmed address if there is one, and revokes the links that were mailed to the account. */
export async function returnToOwnEmail(tx: Transaction, lockedUser: UserRow): Promise<UserRow> {
  await revokeAddressLinks(tx, lockedUser.id)
  return updateUser(tx, lockedUser.id, {
    ...ownEmail(lockedUser),
    previousEmail: null,
    previousEmailVerified: false,
  })
}

/** Revokes links that were mailed to the current address. */
export async function revokeAddressLinks(tx: Transaction, userId: string): Promise<void> {
  await revokeLinks(tx, userId, 'reset_password')
  await revokeLinks(tx, userId, 'confirm_email')
}

/**
 * Confirms the signed-in seller's address by a mailed link. Throws `Refusal` if the link is for another account, so that
 * the owner of an address does not confirm an account that a stranger opened with it.
 */
export async function confirmEmail({ db }: Context, seller: Seller, token: string): Promise<void> {
  const link = await readLink(db, 'confirm_email', token)
  if (link.userId !== seller.id) {
    throw invalid([{ path: 'token', code: 'link_of_another_account' }])
  }
  await transaction(db, async (tx) => {
    // Locked first: a concurrent change of the address revokes the link.
    const lockedUser = await lockAccount(tx, link.userId)
    await useLink(tx, link)
    await updateUser(tx, lockedUser.id, confirmed)
    await revokeLinks(tx, lockedUser.id, 'confirm_email')
  })
}

/** Sends the confirmation link again. Does nothing if the address is confirmed. */
export async function sendConfirmationAgain({ db }: Context, seller: Seller): Promise<void> {
  await transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    if (!lockedUser.verified) await mailConfirmation(tx, lockedUser, 'asked')
  })
}
