import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { type AuditAction, revealedActions } from '#contract/audit.ts'
import type { StaffAccountAnswer, StaffChange } from '#contract/staff-accounts.ts'
import type { Context } from '#server/context.ts'
import { type AuditEntry, isDecision, record } from '#server/features/audit/actions.ts'
import { releaseClaimsOf } from '#server/features/claims/actions.ts'
import { type Staff, signedOut } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators, apiTokens, staffInvitations } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { removeSecondFactors } from '../credentials/second-factor.ts'
import { endSessions } from '../sessions/own-sessions.ts'
import { hasSecondFactor } from '../sessions/queries.ts'

// What owners do with the accounts of administrators.

/** Administrators by username, then invitations by email address. */
export async function listStaff({ db }: Context): Promise<StaffAccountAnswer[]> {
  const [accounts, invited] = await Promise.all([
    selectAccounts(db).orderBy(asc(sql`lower(${administrators.username})`)),
    db.select().from(staffInvitations).orderBy(asc(staffInvitations.email)),
  ])
  return [...accounts.map(toAccount), ...invited.map(toInvited)]
}

/**
 * Changes an administrator, and ends their sessions, invitations and API tokens if they lose rights. Refuses to leave the shop
 * without an active owner.
 */
export async function changeStaff(
  { db }: Context,
  actor: Staff,
  id: string,
  { role, disabled, secondFactor }: StaffChange,
): Promise<StaffAccountAnswer> {
  return transaction(db, async (tx) => {
    const owners = await lockOwnersWith(tx, actor)
    const person = await lockAdministrator(tx, id)
    const staysOwner = (role ?? person.role) === 'owner' && !(disabled ?? person.disabledAt !== null)
    if (!staysOwner && isLast(owners, id)) throw new Refusal('last_owner', 'refusals.last_owner')
    const save = (action: AuditAction, details = {}) =>
      record(tx, { actor, action, subject: { kind: 'administrator', id: person.username }, details })

    if (role && role !== person.role) {
      await updateAdministrator(tx, id, { role })
      await endStaffSessions(tx, id)
      await revokeAccessGrantedBy(tx, id, { actor })
      await save('admin.role_changed', { role: { from: person.role, to: role } })
    }
    if (disabled === true && !person.disabledAt) {
      await updateAdministrator(tx, id, { disabledAt: sql`now()` })
      await endStaffSessions(tx, id)
      await revokeAccessGrantedBy(tx, id, { actor })
      await save('admin.disabled')
    }
    if (disabled === false && person.disabledAt) {
      await updateAdministrator(tx, id, { disabledAt: null })
      await save('admin.enabled')
    }
    if (secondFactor === false) {
      // Owners turn off their own second factor on the security screen, which asks for a code.
      if (id === actor.id) throw new Refusal('second_person_needed', 'refusals.second_person_needed')
      if (await removeSecondFactors(tx, id)) {
        await endStaffSessions(tx, id)
        await save('admin.totp_reset')
      }
    }
    return toAccount(onlyRow(await selectAccounts(tx).where(eq(administrators.id, id))))
  })
}

/** The ids of the active owners, locked, so that two owners cannot demote each other at the same time. */
export async function lockActiveOwners(tx: Transaction): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select({ id: administrators.id })
    .from(administrators)
    .where(and(eq(administrators.role, 'owner'), isNull(administrators.disabledAt)))
    .orderBy(administrators.id)
    .for('update')
  return new Set(rows.map(({ id }) => id))
}

/** Locks the active owners. Throws `Refusal` if another owner has demoted or disabled the caller in the meantime. */
export async function lockOwnersWith(tx: Transaction, { id }: Staff): Promise<ReadonlySet<string>> {
  const owners = await lockActiveOwners(tx)
  if (!owners.has(id)) throw signedOut('staff')
  return owners
}

/** Whether this is the only active owner. */
export function isLast(owners: ReadonlySet<string>, id: string): boolean {
  return owners.has(id) && owners.size === 1
}

async function lockAdministrator(tx: Transaction, id: string) {
  const { username, role, disabledAt } = administrators
  const [locked] = await tx
    .select({ username, role, disabledAt })
    .from(administrators)
    .where(eq(administrators.id, id))
    .for('update')
  if (!locked) throw notFound()
  return locked
}

async function updateAdministrator(
  tx: Transaction,
  id: string,
  changed: Parameters<ReturnType<typeof tx.update<typeof administrators>>['set']>[0],
): Promise<void> {
  await tx.update(administrators).set(changed).where(eq(administrators.id, id))
}

/** Ends every session, closes the sockets, releases the claims, and revokes the sign-in link. */
export async function endStaffSessions(tx: Transaction, id: string): Promise<void> {
  await endSessions(tx, { kind: 'staff', id })
  await releaseClaimsOf(tx, id, { assigned: true })
}

/** Revokes the API tokens that an administrator created and the open invitations they sent, which may be in their own hands. */
export async function revokeAccessGrantedBy(
  tx: Transaction,
  administratorId: string,
  by: Pick<AuditEntry, 'actor' | 'details'>,
): Promise<void> {
  const revoked = await tx
    .delete(staffInvitations)
    .where(eq(staffInvitations.invitedBy, administratorId))
    .returning({ email: staffInvitations.email })
  for (const { email } of revoked) {
    const subject = { kind: 'administrator', id: email } as const
    await record(tx, { ...by, action: 'admin.invitation_revoked', subject })
  }
  const tokens = await tx.delete(apiTokens).where(eq(apiTokens.createdBy, administratorId)).returning()
  for (const { name } of tokens) {
    await record(tx, { ...by, action: 'token.revoked', subject: { kind: 'token', id: name } })
  }
}

/** The columns of the list. Each count reads one index. */
function selectAccounts(db: Executor) {
  const entries = (...actions: string[]) =>
    sql`from audit_log where actor_kind = 'staff' and actor_id = administrators.id and action in ${actions}`
  return db
    .select({
      id: administrators.id,
      username: administrators.username,
      email: administrators.email,
      role: administrators.role,
      disabledAt: administrators.disabledAt,
      createdAt: administrators.createdAt,
      secondFactor: hasSecondFactor,
      lastSignIn: sql<Date | null>`(select max(at) ${entries('admin.signed_in')})`.mapWith(
        administrators.createdAt,
      ),
      reveals: sql<number>`(select count(*)::int ${entries(...revealedActions)})`,
      decisions: sql<number>`(select count(*)::int ${entries('submission.moved')} and ${isDecision})`,
    })
    .from(administrators)
}

type AccountRow = Awaited<ReturnType<typeof selectAccounts>>[number]

function toAccount({ disabledAt, ...account }: AccountRow): StaffAccountAnswer {
  return { ...account, disabled: disabledAt !== null, invitedUntil: null }
}

/** Somebody who has not accepted yet. */
export function toInvited(invitation: typeof staffInvitations.$inferSelect): StaffAccountAnswer {
  return {
    ...invitation,
    username: null,
    disabled: false,
    secondFactor: false,
    lastSignIn: null,
    reveals: 0,
    decisions: 0,
    invitedUntil: invitation.expiresAt,
  }
}
