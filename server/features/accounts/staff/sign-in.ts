import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { adminLinkSignIn, adminSignIn } from '#contract/administrators.ts'
import { may } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { signedOut } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { administrators } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import type { GuardedCheck } from '../credentials/known-browsers.ts'
import { requireCode } from '../credentials/second-factor.ts'
import { hasSecondFactor } from '../sessions/queries.ts'
import { needsSecondFactor } from '../sessions/sessions.ts'
import { findBySignInLink, useSignInLink } from './sign-in-link.ts'

type AdministratorRow = typeof administrators.$inferSelect

/** How an administrator signed in, for the audit log. */
type SignInDetails = Readonly<Partial<Record<'with' | 'factor', string>>>

/** Checks username, password and code. Records each refusal; `recordSignIn` records the success. */
export async function checkCredentials(
  context: Context,
  { username, password, code }: z.output<typeof adminSignIn>,
  guarded: GuardedCheck,
): Promise<{ administrator: AdministratorRow; details: SignInDetails }> {
  const { db, passwords } = context
  const found = await findByUsername(db, username)
  const administrator = found?.disabledAt === null ? found : undefined
  const isRight = await guarded({ account: administrator?.id, name: username }, () =>
    passwords.matches(administrator?.passwordHash, password),
  )
  if (!isRight || !administrator) {
    await transaction(db, (tx) =>
      record(tx, {
        actor: { kind: 'visitor' },
        action: 'admin.sign_in_refused',
        subject: { kind: 'administrator', id: found?.username ?? hashedName(context, username) },
      }),
    )
    throw wrongCredentials()
  }
  return { administrator, details: await checkCode(context, administrator, code) }
}

/** Hides an unknown username in the audit log, because people type passwords into the wrong field. */
export function hashedName({ keys }: Context, username: string): string {
  const hash = blindIndex(keys, 'unknown_administrator', username.toLowerCase())
  return `unknown ${hash.toString('hex').slice(0, 16)}`
}

const wrongCredentials = () => new Refusal('invalid_credentials', 'refusals.wrong_admin_credentials')

/** Checks a sign-in link and the code. The link stays usable until `useLink`. */
export async function checkLink(
  context: Context,
  { token, code }: z.output<typeof adminLinkSignIn>,
): Promise<{ administrator: Pick<AdministratorRow, 'id' | 'username' | 'role'>; details: SignInDetails }> {
  const administrator = await findBySignInLink(context.db, token)
  if (!administrator) throw linkRefused()
  const details = await checkCode(context, administrator, code, { with: 'a link from the command line' })
  return { administrator, details }
}

/**
 * The second step of signing in. Records a missing or wrong code, and throws `Refusal`.
 * @returns the details and the factor that was used
 */
export async function checkCode(
  context: Context,
  { id, username }: { id: string; username: string },
  code: string | undefined,
  details: SignInDetails = {},
): Promise<SignInDetails> {
  const factor = await requireCode(context, { kind: 'staff', id }, code, (failure) =>
    transaction(context.db, (tx) =>
      record(tx, {
        actor: { kind: 'visitor' },
        // Recorded as well: someone without the phone may know the password.
        action: failure === 'missing' ? 'admin.code_asked' : 'admin.sign_in_refused',
        subject: { kind: 'administrator', id: username },
        details: failure === 'missing' ? details : { ...details, factor: failure },
      }),
    ),
  )
  return factor ? { ...details, factor } : details
}

/** Throws `Refusal` if the password has changed since it was checked. */
export async function confirmPassword(
  tx: Transaction,
  { username, passwordHash }: AdministratorRow,
): Promise<void> {
  const current = await findByUsername(tx, username)
  if (current?.passwordHash !== passwordHash) throw wrongCredentials()
}

/** Uses the link up. Throws `Refusal` if another request was faster. */
export async function useLink(tx: Transaction, token: string): Promise<void> {
  if (!(await useSignInLink(tx, token))) throw linkRefused()
}

const linkRefused = () => invalid([{ path: 'token', code: 'sign_in_link_used' }])

/**
 * Runs in the transaction that starts the session, so the audit log has only sign-ins that succeeded. Throws `Refusal` if the
 * account was disabled since the first check: its session would work again once the account is enabled.
 */
export async function recordSignIn(
  tx: Transaction,
  { id, username }: { id: string; username: string },
  details: SignInDetails,
): Promise<void> {
  const isEnabled = and(eq(administrators.id, id), isNull(administrators.disabledAt))
  if ((await tx.$count(administrators, isEnabled)) === 0) throw wrongCredentials()
  await record(tx, {
    actor: { kind: 'staff', id, username },
    action: 'admin.signed_in',
    subject: { kind: 'administrator', id: username },
    details,
  })
}

/** The signed-in administrator, with their rating by sellers. */
export async function findOwnAdministrator({ db, site }: Context, id: string) {
  const { username, role, rating, reviewCount } = administrators
  const [administrator] = await db
    .select({ id: administrators.id, username, role, rating, reviewCount, secondFactor: hasSecondFactor })
    .from(administrators)
    .where(eq(administrators.id, id))
  if (!administrator) throw signedOut('staff')
  return {
    ...administrator,
    needsSecondFactor: needsSecondFactor(site, administrator),
    manualPayouts: may(administrator.role, site.payouts.manual ? 'move' : 'pay_by_hand_always'),
    timeZone: site.timeZone,
  }
}

async function findByUsername(db: Executor, username: string): Promise<AdministratorRow | undefined> {
  const [administrator] = await db
    .select()
    .from(administrators)
    .where(sameText(administrators.username, username))
  return administrator
}
