import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { OidcOutcome } from '#contract/oidc.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { accountName } from '#server/platform/config/config-values.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, staffInvitations } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { lockActiveOwners } from './accounts.ts'
import { generatePassword } from './administrators.ts'
import type { Identity } from './oidc-provider.ts'

export interface IdentifiedAdministrator {
  readonly id: string
  readonly username: string
}

/**
 * The account of a person at the provider: the one that is bound to the identity, or else that of the verified address. Accepts
 * an open invitation to the address. Binds nothing else, because a second factor may follow.
 */
export async function findAccount(
  context: Context,
  identity: Identity,
): Promise<IdentifiedAdministrator | OidcOutcome> {
  const { issuer, subject, email } = identity
  const bound = await find(
    context.db,
    and(eq(administrators.oidcIssuer, issuer), eq(administrators.oidcSubject, subject)),
  )
  if (bound) return bound.disabledAt ? 'disabled' : bound
  if (email === undefined) return 'unverified'
  const known = await find(context.db, eq(administrators.email, email))
  if (known?.disabledAt) return 'disabled'
  if (known?.oidcSubject) return 'other_identity'
  return known ?? (await acceptInvitation(context, { ...identity, email })) ?? 'uninvited'
}

async function find(db: Executor, condition: ReturnType<typeof and>) {
  const { id, username, disabledAt, oidcSubject } = administrators
  const [found] = await db
    .select({ id, username, disabledAt, oidcSubject })
    .from(administrators)
    .where(condition)
  return found
}

/** Binds the account at its first sign-in. Returns false if it is already bound to another person. */
export async function bindIdentity(
  tx: Transaction,
  { id, username }: IdentifiedAdministrator,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<boolean> {
  const bound = await tx
    .update(administrators)
    .set({ oidcIssuer: issuer, oidcSubject: subject })
    .where(and(eq(administrators.id, id), isNull(administrators.oidcSubject)))
    .returning({ id: administrators.id })
  if (bound.length > 0) {
    await record(tx, {
      actor: { kind: 'staff', id, username },
      action: 'admin.identity_bound',
      subject: { kind: 'administrator', id: username },
      details: { issuer },
    })
    return true
  }
  const isSame = and(
    eq(administrators.id, id),
    eq(administrators.oidcIssuer, issuer),
    eq(administrators.oidcSubject, subject),
  )
  return (await tx.$count(administrators, isSame)) > 0
}

/** Creates the account of an open invitation to the address, bound to the identity. It has no password that anybody knows. */
async function acceptInvitation(
  { db, passwords }: Context,
  { issuer, subject, email }: Identity & { readonly email: string },
): Promise<IdentifiedAdministrator | undefined> {
  const isOpen = and(eq(staffInvitations.email, email), gt(staffInvitations.expiresAt, sql`now()`))
  if ((await db.$count(staffInvitations, isOpen)) === 0) return undefined
  const passwordHash = await passwords.hash(generatePassword())
  return transaction(db, async (tx) => {
    // Locked first, as by those who demote a sender and then revoke the invitations.
    const owners = await lockActiveOwners(tx)
    const [accepted] = await tx.delete(staffInvitations).where(isOpen).returning()
    if (!accepted || !owners.has(accepted.invitedBy)) return undefined
    const { id, role } = accepted
    const username = await freeUsername(tx, email)
    await tx
      .insert(administrators)
      .values({ id, username, email, role, passwordHash, oidcIssuer: issuer, oidcSubject: subject })
    const subjectOf = { kind: 'administrator', id: username } as const
    const details = { role, email, with: 'an invitation', issuer }
    await record(tx, {
      actor: { kind: 'staff', id, username },
      action: 'admin.created',
      subject: subjectOf,
      details,
    })
    return { id, username }
  })
}

/** The part of the address before the @ if nobody has it, else the whole address. */
async function freeUsername(tx: Transaction, email: string): Promise<string> {
  const [name = ''] = email.split('@')
  const isFree = async (username: string) =>
    accountName.schema.safeParse(username).success &&
    (await tx.$count(administrators, sql`lower(${administrators.username}) = lower(${username})`)) === 0
  return (await isFree(name)) ? name : email.slice(0, 50)
}
