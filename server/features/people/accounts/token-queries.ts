import { and, eq, gt, gte, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { sameText } from '#server/platform/database/queries.ts'
import { accountTokens as tokens, users } from '#server/platform/database/schema.ts'

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

/** How many other links of this kind were mailed to this address within the last hour, whatever the account. */
export async function countRecent(
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

/** The oldest link by which this account can still get this address back. */
export async function findRestoreLink(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<TokenRow | undefined> {
  const [oldest] = await tx
    .select()
    .from(tokens)
    .where(
      and(
        eq(tokens.userId, userId),
        eq(tokens.purpose, 'restore_email'),
        sameText(tokens.email, email),
        usable(),
      ),
    )
    .orderBy(tokens.createdAt)
    .limit(1)
  return oldest
}

/** Whether another account may still return to this address, by a mailed link or because its new address is unconfirmed. */
export async function isReserved(
  db: Executor,
  email: string,
  exceptUserId: string | undefined,
): Promise<boolean> {
  const isOther = (column: typeof tokens.userId | typeof users.id) =>
    exceptUserId === undefined ? undefined : ne(column, exceptUserId)
  const links = await db.$count(
    tokens,
    and(sameText(tokens.email, email), eq(tokens.purpose, 'restore_email'), usable(), isOther(tokens.userId)),
  )
  if (links > 0) return true
  return (await db.$count(users, and(sameText(users.previousEmail, email), isOther(users.id)))) > 0
}

/** A link that is a month past its time explains nothing any more. */
export async function deleteOldTokens(db: Database): Promise<void> {
  await db.delete(tokens).where(lt(tokens.expiresAt, sql`now() - interval '30 days'`))
}
