import { v7 as uuidv7 } from 'uuid'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { invalid } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue, type JobPayloads } from '#server/platform/jobs/jobs.ts'
import { emailTaken, lockAccount, notifyOwner } from './actions.ts'
import { lockUserByEmail, type UserRow, updateUser } from './queries.ts'
import { isReserved, revoke } from './token-queries.ts'
import { readToken, useToken } from './tokens.ts'

// An account is registered with an address, and may enter another one in its profile. Until that one is confirmed the
// account keeps the earlier address in reserve (`previousEmail`), and only its own earlier address is closed to others.

/** What an account has once its address is proved: nothing to fall back to. */
export const confirmed = { verified: true, previousEmail: null, previousEmailVerified: false } as const

/** The address that is certainly the account's: the last one it confirmed, or was registered with. */
export function ownEmail(user: UserRow): { email: string; verified: boolean } {
  return user.previousEmail === null
    ? { email: user.email, verified: user.verified }
    : { email: user.previousEmail, verified: user.previousEmailVerified }
}

/**
 * Frees an address for the account that this transaction gives it to. An account that has only entered it in its
 * profile goes back to its earlier address. Throws `Refusal` when another account owns the address.
 */
export async function claimEmail(tx: Transaction, email: string, claimantId?: string): Promise<void> {
  // In this order: an address is reserved before its owner leaves it.
  const holder = await lockUserByEmail(tx, email)
  if (holder?.previousEmail === null) throw emailTaken()
  if (await isReserved(tx, email, claimantId)) throw emailTaken()
  if (!holder) return
  const fallenBack = await returnToOwnEmail(tx, holder)
  await notifyOwner(tx, fallenBack, { kind: 'emailFellBack' })
}

/** Gives an account its own address again. The links that were mailed to the other one open nothing any more. */
export async function returnToOwnEmail(tx: Transaction, lockedUser: UserRow): Promise<UserRow> {
  await revokeLinks(tx, lockedUser.id)
  return updateUser(tx, lockedUser.id, {
    ...ownEmail(lockedUser),
    previousEmail: null,
    previousEmailVerified: false,
  })
}

/** Links that were mailed to the address that the account has. */
export async function revokeLinks(tx: Transaction, userId: string): Promise<void> {
  await revoke(tx, userId, 'reset_password')
  await revoke(tx, userId, 'confirm_email')
}

/**
 * Confirms the address of the signed-in seller by the link that was mailed to it. Throws `Refusal` when the link is for
 * another account: the owner of an address must not confirm an account that a stranger opened with it.
 */
export async function confirmEmail({ db }: Context, seller: Seller, token: string): Promise<void> {
  const link = await readToken(db, 'confirm_email', token)
  if (link.userId !== seller.id) {
    const message =
      'This link is for another account. Please sign in to that account and open the link again.'
    throw invalid([{ path: 'token', message }])
  }
  await transaction(db, async (tx) => {
    // Locked first: an account that changes its address meanwhile takes the link along.
    const lockedUser = await lockAccount(tx, link.userId)
    await useToken(tx, link)
    await updateUser(tx, lockedUser.id, confirmed)
    await revoke(tx, lockedUser.id, 'confirm_email')
  })
}

/** Sends the confirmation link again. Does nothing if the address is confirmed. */
export async function askForConfirmation({ db }: Context, seller: Seller): Promise<void> {
  await transaction(db, async (tx) => {
    const lockedUser = await lockAccount(tx, seller.id)
    if (!lockedUser.verified) await mailConfirmation(tx, lockedUser, 'asked')
  })
}

export async function mailConfirmation(
  tx: Transaction,
  { id: userId, email }: UserRow,
  because: JobPayloads['confirmEmailMail']['because'],
): Promise<void> {
  await enqueue(tx, 'confirmEmailMail', uuidv7(), { userId, email, because })
}
