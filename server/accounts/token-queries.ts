import { and, eq, gt, gte, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#server/database/pool.ts'
import { accountTokens as tokens } from '#server/database/schema.ts'
import { sameText } from '#server/database/search-text.ts'

export type TokenRow = typeof tokens.$inferSelect
export type Purpose = TokenRow['purpose']

const usable = () => and(isNull(tokens.usedAt), gt(tokens.expiresAt, sql`now()`))

/** Inserted once; sent once more, a link that was not used lives as long as a new one. */
export async function insertToken(
  tx: Transaction,
  token: Omit<typeof tokens.$inferInsert, 'expiresAt'>,
  seconds: number,
): Promise<void> {
  const expiresAt = sql`now() + make_interval(secs => ${seconds})`
  await tx
    .insert(tokens)
    .values({ ...token, expiresAt })
    .onConflictDoUpdate({
      target: tokens.id,
      set: { expiresAt },
      setWhere: isNull(tokens.usedAt),
    })
}

export async function findUsableToken(
  db: Executor,
  purpose: Purpose,
  tokenHash: string,
): Promise<TokenRow | undefined> {
  const [found] = await db
    .select()
    .from(tokens)
    .where(and(eq(tokens.tokenHash, tokenHash), eq(tokens.purpose, purpose), usable()))
  return found
}

/** @returns whether it was usable until now: of two at once, one is told no */
export async function markUsed(tx: Transaction, id: string): Promise<boolean> {
  const marked = await tx
    .update(tokens)
    .set({ usedAt: sql`now()` })
    .where(and(eq(tokens.id, id), usable()))
    .returning({ id: tokens.id })
  return marked.length > 0
}

export async function revoke(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  { since }: { since?: Date } = {},
): Promise<void> {
  const ofUser = and(eq(tokens.userId, userId), eq(tokens.purpose, purpose), usable())
  await tx
    .update(tokens)
    .set({ usedAt: sql`now()` })
    .where(and(ofUser, since && gte(tokens.createdAt, since)))
}

/** How many other links for a new password were mailed to this account within the last hour. */
export async function countRecentResets(tx: Transaction, userId: string, exceptId: string): Promise<number> {
  return tx.$count(
    tokens,
    and(
      eq(tokens.userId, userId),
      eq(tokens.purpose, 'reset_password'),
      ne(tokens.id, exceptId),
      gt(tokens.createdAt, sql`now() - interval '1 hour'`),
    ),
  )
}

/** Whether somebody else may still take this address back. */
export async function isReserved(
  db: Executor,
  email: string,
  exceptUserId: string | undefined,
): Promise<boolean> {
  const others = exceptUserId === undefined ? undefined : ne(tokens.userId, exceptUserId)
  const reserved = await db.$count(
    tokens,
    and(sameText(tokens.email, email), eq(tokens.purpose, 'restore_email'), usable(), others),
  )
  return reserved > 0
}

/** A link that is a month past its time explains nothing any more. */
export async function deleteOldTokens(db: Database): Promise<void> {
  await db.delete(tokens).where(lt(tokens.expiresAt, sql`now() - interval '30 days'`))
}
