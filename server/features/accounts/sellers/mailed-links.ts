import { and, eq, gt, gte, isNull, lt, ne, sql } from 'drizzle-orm'
import { invalid } from '#server/http/refusal.ts'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { accountTokens as tokens, users } from '#server/platform/database/schema.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import { hashToken } from '../sessions/cookies.ts'

export type LinkRow = typeof tokens.$inferSelect
type Purpose = LinkRow['purpose']

/** How long a link works. People may see the email about a changed address days later. */
const lifetimeSeconds: Readonly<Record<Purpose, number>> = {
  reset_password: 3600,
  restore_email: 7 * 24 * 3600,
  confirm_email: 7 * 24 * 3600,
}

/**
 * The secret of a link: 256 bits derived from the row's ID with the server's keys. A job that is retried mails the same
 * link, and neither the table nor the job contains the secret.
 */
export function linkToken(keys: KeyRing, id: string): string {
  return blindIndex(keys, 'account_token', id).toString('base64url')
}

/** What the link of an email opens to confirm its address. */
export function confirmationPath(keys: KeyRing, id: string): string {
  return `/confirm-email?token=${linkToken(keys, id)}`
}

/** Creates a link. Creating it again with the same ID renews it if it is unused. */
export async function createLink(
  tx: Transaction,
  keys: KeyRing,
  link: { id: string; userId: string; purpose: Purpose; email: string; emailVerified?: boolean },
): Promise<void> {
  const expiresAt = sql`now() + make_interval(secs => ${lifetimeSeconds[link.purpose]})`
  await tx
    .insert(tokens)
    .values({ ...link, tokenHash: hashToken(linkToken(keys, link.id)), expiresAt })
    .onConflictDoUpdate({ target: tokens.id, set: { expiresAt }, setWhere: isNull(tokens.usedAt) })
}

/** Throws `Refusal` unless the link is for this purpose, unused and not expired. */
export async function readLink(db: Executor, purpose: Purpose, token: string): Promise<LinkRow> {
  const [found] = await db
    .select()
    .from(tokens)
    .where(and(eq(tokens.tokenHash, hashToken(token)), eq(tokens.purpose, purpose), isUsable()))
  if (!found) throw linkRefused(purpose)
  return found
}

/** Uses a link up. Throws `Refusal` if another request was faster. */
export async function useLink(tx: Transaction, { id, purpose }: LinkRow): Promise<void> {
  const used = await tx
    .update(tokens)
    .set({ usedAt: sql`now()` })
    .where(and(eq(tokens.id, id), isUsable()))
    .returning({ id: tokens.id })
  if (used.length === 0) throw linkRefused(purpose)
}

const linkUsed = {
  reset_password: 'reset_link_used',
  restore_email: 'restore_link_used',
  confirm_email: 'confirm_link_used',
} as const

export const linkRefused = (purpose: Purpose) => invalid([{ path: 'token', code: linkUsed[purpose] }])

/** Revokes the unused links of an account. */
export async function revokeLinks(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  { since }: { since?: Date } = {},
): Promise<void> {
  const unused = and(eq(tokens.userId, userId), eq(tokens.purpose, purpose), isUsable())
  await tx
    .update(tokens)
    .set({ usedAt: sql`now()` })
    .where(and(unused, since && gte(tokens.createdAt, since)))
}

/** The number of other links for this purpose mailed to the address in the last hour, for any account. */
export async function countRecentLinks(
  tx: Transaction,
  { id, purpose, email }: { id: string; purpose: Purpose; email: string },
): Promise<number> {
  return tx.$count(
    tokens,
    and(
      sameText(tokens.email, email),
      eq(tokens.purpose, purpose),
      ne(tokens.id, id),
      gt(tokens.createdAt, sql`now() - interval '1 hour'`),
    ),
  )
}

/** The newest usable link that confirms this address of the account. */
export async function findConfirmationLink(
  db: Executor,
  userId: string,
  email: string,
): Promise<LinkRow | undefined> {
  return (await listUsable(db, { userId, purpose: 'confirm_email', email })).at(-1)
}

/** The oldest usable link that gives the account this address back. */
export async function findRestoreLink(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<LinkRow | undefined> {
  return (await listUsable(tx, { userId, purpose: 'restore_email', email }))[0]
}

/** The usable links of an account to an address, oldest first. */
function listUsable(
  db: Executor,
  { userId, purpose, email }: Pick<LinkRow, 'userId' | 'purpose' | 'email'>,
): Promise<LinkRow[]> {
  const isWanted = and(eq(tokens.purpose, purpose), sameText(tokens.email, email), isUsable())
  return db
    .select()
    .from(tokens)
    .where(and(eq(tokens.userId, userId), isWanted))
    .orderBy(tokens.createdAt)
}

/** Whether another account can still return to this address: by a link, or because its new address is unconfirmed. */
export async function isReserved(
  db: Executor,
  email: string,
  exceptUserId: string | undefined,
): Promise<boolean> {
  const isOther = (column: typeof tokens.userId | typeof users.id) =>
    exceptUserId === undefined ? undefined : ne(column, exceptUserId)
  const restores = and(sameText(tokens.email, email), eq(tokens.purpose, 'restore_email'), isUsable())
  if ((await db.$count(tokens, and(restores, isOther(tokens.userId)))) > 0) return true
  return (await db.$count(users, and(sameText(users.previousEmail, email), isOther(users.id)))) > 0
}

/** Deletes links a month after they expire. */
export async function deleteOldLinks(db: Database): Promise<void> {
  await db.delete(tokens).where(lt(tokens.expiresAt, sql`now() - interval '30 days'`))
}

const isUsable = () => and(isNull(tokens.usedAt), gt(tokens.expiresAt, sql`now()`))
