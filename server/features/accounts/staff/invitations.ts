import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import {
  type acceptance,
  INVITATION_HOURS,
  type StaffAccountAnswer,
  type staffInvitation,
} from '#contract/staff-accounts.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound, type RefusedField, refusedFields } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Database, Executor } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators, staffInvitations as invitations } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import { refuseCommonPassword } from '../credentials/password.ts'
import { hashToken } from '../sessions/cookies.ts'
import { lockActiveOwners, lockOwnersWith, toInvited } from './accounts.ts'

/** Emails a link that creates an account. It replaces an earlier link to the address. */
export async function inviteStaff(
  { db, keys }: Context,
  actor: Staff,
  { email: typed, role }: z.output<typeof staffInvitation>,
): Promise<StaffAccountAnswer> {
  const email = typed.toLowerCase()
  return transaction(db, async (tx) => {
    await lockOwnersWith(tx, actor)
    if ((await tx.$count(administrators, eq(administrators.email, email))) > 0) throw taken(EMAIL_TAKEN)
    const id = uuidv7()
    const link = {
      id,
      role,
      invitedBy: actor.id,
      tokenHash: hashToken(invitationToken(keys, id)),
      createdAt: sql`now()`,
      expiresAt: sql`now() + make_interval(hours => ${INVITATION_HOURS})`,
    }
    const invited = await tx
      .insert(invitations)
      .values({ email, ...link })
      .onConflictDoUpdate({ target: invitations.email, set: link })
      .returning()
    await enqueue(tx, 'staffInvitationMail', id, { invitationId: id })
    const subject = { kind: 'administrator', id: email } as const
    await record(tx, { actor, action: 'admin.invited', subject, details: { role } })
    return toInvited(onlyRow(invited))
  })
}

/** The secret of a link, derived from its id with the server's keys: neither the table nor the job contains it. */
export function invitationToken(keys: KeyRing, id: string): string {
  return blindIndex(keys, 'staff_invitation', id).toString('base64url')
}

export async function revokeInvitation({ db }: Context, actor: Staff, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const [revoked] = await tx.delete(invitations).where(eq(invitations.id, id)).returning()
    if (!revoked) throw notFound()
    const subject = { kind: 'administrator', id: revoked.email } as const
    await record(tx, { actor, action: 'admin.invitation_revoked', subject })
  })
}

/** What the link offers. Throws `Refusal` if it was used, replaced or revoked, or has expired. */
export async function readInvitation({ db }: Context, token: string) {
  return await findInvitation(db, token)
}

/** Creates the account that the link offers, and uses the link up. Throws `Refusal` if its sender is no longer an owner. */
export async function acceptInvitation(
  { db, passwords }: Context,
  { token, username, password }: z.output<typeof acceptance>,
): Promise<{ id: string; username: string }> {
  await findInvitation(db, token)
  await refuseCommonPassword(password)
  const passwordHash = await passwords.hash(password)
  try {
    return await transaction(db, async (tx) => {
      // Locked first, as by those who demote a sender and then revoke the invitations.
      const owners = await lockActiveOwners(tx)
      const [accepted] = await tx.delete(invitations).where(isUsable(token)).returning()
      if (!accepted || !owners.has(accepted.invitedBy)) throw linkRefused()
      const { id, email, role } = accepted
      await tx.insert(administrators).values({ id, username, email, role, passwordHash })
      const subject = { kind: 'administrator', id: username } as const
      const details = { role, email, with: 'an invitation' }
      await record(tx, { actor: { kind: 'staff', id, username }, action: 'admin.created', subject, details })
      return { id, username }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'administrators_username_key'))
      throw taken({ path: 'username', code: 'username_taken' })
    // Invited again after another invitation to the address was accepted.
    if (isUniqueViolation(error, 'administrators_email_key')) throw linkRefused()
    throw error
  }
}

const EMAIL_TAKEN: RefusedField = { path: 'email', code: 'email_on_staff' }

const taken = (field: RefusedField) => refusedFields('taken', [field])

async function findInvitation(db: Executor, token: string) {
  const [found] = await db.select().from(invitations).where(isUsable(token))
  if (!found) throw linkRefused()
  return found
}

const isUsable = (token: string) =>
  and(eq(invitations.tokenHash, hashToken(token)), gt(invitations.expiresAt, sql`now()`))

const linkRefused = () => invalid([{ path: 'token', code: 'invitation_used' }])

/** Deletes invitations a month after they expire. */
export async function deleteOldInvitations(db: Database): Promise<void> {
  await db.delete(invitations).where(lt(invitations.expiresAt, sql`now() - interval '30 days'`))
}
