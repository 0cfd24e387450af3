import { and, eq, gt, sql } from 'drizzle-orm'
import type { AuditAction } from '#contract/audit.ts'
import { record } from '#server/features/audit/actions.ts'
import { type Seller, type Staff, signedOut } from '#server/http/actor.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators, sessions } from '#server/platform/database/schema.ts'
import type { SecurityEvent } from '#server/platform/jobs/jobs.ts'
import { enqueueSecurityEmail, lockAccount, setPassword } from '../sellers/account.ts'

/** Somebody who is signed in and changes their own credentials. */
export type Person = Seller | Staff

/** An account of either kind. */
export type Account = Pick<Person, 'kind' | 'id'>

/** A locked account, and what depends on whether it is a seller's or staff's. */
export interface Owner {
  /** The account's name in authenticator apps. */
  readonly label: string
  /** Whether the address is confirmed. Always true for staff: an owner or the operator chose them. */
  readonly isConfirmed: boolean
  readonly passwordHash: string
  /** Revokes links that set a seller's password, and tells of the change as `tell` does. */
  readonly setPassword: (hash: string) => Promise<unknown>
  /** Tells sellers of a change by email, and the audit log about staff. */
  readonly tell: (change: CredentialChange) => Promise<void>
}

/** The changes that sellers are emailed about, as the audit log calls them for staff. */
const auditActions = {
  passkeyAdded: 'admin.passkey_added',
  passkeyRemoved: 'admin.passkey_removed',
  recoveryCodesRenewed: 'admin.totp_renewed',
  secondFactorOff: 'admin.totp_stopped',
  secondFactorOn: 'admin.totp_started',
} as const satisfies Partial<Record<SecurityEvent['kind'], AuditAction>>

type CredentialChange = Extract<SecurityEvent, { kind: keyof typeof auditActions }>

/**
 * Locks the account, so that sign-ins and other changes wait. Throws `Refusal` if the session has ended since the request
 * arrived: the account may have been deleted or disabled, or its password changed.
 */
export async function lockOwner(tx: Transaction, person: Person): Promise<Owner> {
  const owner = person.kind === 'seller' ? await lockSeller(tx, person) : await lockAdministrator(tx, person)
  const isActive = and(eq(sessions.sid, person.sid), gt(sessions.expire, sql`now()`))
  if ((await tx.$count(sessions, isActive)) === 0) throw signedOut(person.kind)
  return owner
}

async function lockSeller(tx: Transaction, seller: Seller): Promise<Owner> {
  const user = await lockAccount(tx, seller.id)
  return {
    label: user.email,
    isConfirmed: user.verified,
    passwordHash: user.passwordHash,
    setPassword: (hash) => setPassword(tx, user, hash),
    tell: (change) => enqueueSecurityEmail(tx, user, change),
  }
}

async function lockAdministrator(tx: Transaction, staff: Staff): Promise<Owner> {
  const { passwordHash } = administrators
  const isOwn = eq(administrators.id, staff.id)
  const locked = onlyRow(await tx.select({ passwordHash }).from(administrators).where(isOwn).for('update'))
  const save = (action: AuditAction, details = {}) =>
    record(tx, { actor: staff, action, subject: { kind: 'administrator', id: staff.username }, details })
  return {
    ...locked,
    label: staff.username,
    isConfirmed: true,
    async setPassword(passwordHash) {
      await tx.update(administrators).set({ passwordHash }).where(isOwn)
      await save('admin.password_changed')
    },
    tell: (change) => save(auditActions[change.kind], 'name' in change ? { passkey: change.name } : {}),
  }
}
