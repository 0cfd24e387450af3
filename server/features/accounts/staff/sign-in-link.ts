import { eq, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, signInLinks } from '#server/platform/database/schema.ts'
import { hashToken, newToken } from '../sessions/cookies.ts'

/** Lifetime of a sign-in link. */
export const SIGN_IN_LINK_MINUTES = 15

/** Creates a link for an administrator and revokes an older one. Returns the token; only its hash is stored. */
export async function createSignInLink(tx: Transaction, administratorId: string): Promise<string> {
  const token = newToken()
  const link = {
    tokenHash: hashToken(token),
    expiresAt: sql`now() + make_interval(mins => ${SIGN_IN_LINK_MINUTES})`,
  }
  await tx
    .insert(signInLinks)
    .values({ administratorId, ...link })
    .onConflictDoUpdate({ target: signInLinks.administratorId, set: link })
  return token
}

/** The administrator of a usable link, unless disabled. */
export async function findBySignInLink(db: Executor, token: string) {
  const [found] = await db
    .select({ id: administrators.id, username: administrators.username, role: administrators.role })
    .from(signInLinks)
    .innerJoin(administrators, eq(administrators.id, signInLinks.administratorId))
    .where(sql`${isUsable(token)} and ${administrators.disabledAt} is null`)
  return found
}

/** Returns false if the link has been used or has expired. */
export async function useSignInLink(tx: Transaction, token: string): Promise<boolean> {
  const used = await tx
    .delete(signInLinks)
    .where(isUsable(token))
    .returning({ id: signInLinks.administratorId })
  return used.length > 0
}

export async function revokeSignInLink(tx: Transaction, administratorId: string): Promise<void> {
  await tx.delete(signInLinks).where(eq(signInLinks.administratorId, administratorId))
}

const isUsable = (token: string) =>
  sql`${signInLinks.tokenHash} = ${hashToken(token)} and ${signInLinks.expiresAt} > now()`
