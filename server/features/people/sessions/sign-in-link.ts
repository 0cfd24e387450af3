import { eq, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { administrators, signInLinks } from '#server/platform/database/schema.ts'
import { hashToken, newToken } from './token.ts'

/** How long a link works that the operator has printed. */
export const SIGN_IN_LINK_MINUTES = 15

/** Makes a link for an administrator. An older one stops working. @returns its token, which is stored only as a hash */
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

/** @returns the link's administrator; undefined if the link was used or is too old, or they are disabled */
export async function findByLink(db: Executor, token: string) {
  const [found] = await db
    .select({ id: administrators.id, username: administrators.username })
    .from(signInLinks)
    .innerJoin(administrators, eq(administrators.id, signInLinks.administratorId))
    .where(sql`${usable(token)} and ${administrators.disabledAt} is null`)
  return found
}

/** Uses the link up. @returns false if it was used already or is too old */
export async function takeLink(tx: Transaction, token: string): Promise<boolean> {
  const taken = await tx
    .delete(signInLinks)
    .where(usable(token))
    .returning({ id: signInLinks.administratorId })
  return taken.length > 0
}

export async function revokeLink(tx: Transaction, administratorId: string): Promise<void> {
  await tx.delete(signInLinks).where(eq(signInLinks.administratorId, administratorId))
}

const usable = (token: string) =>
  sql`${signInLinks.tokenHash} = ${hashToken(token)} and ${signInLinks.expiresAt} > now()`
