import { eq, or, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow, sameText } from '#server/platform/database/queries.ts'
import { administrators, users } from '#server/platform/database/schema.ts'

export type UserRow = typeof users.$inferSelect
export type AdministratorRow = typeof administrators.$inferSelect

export async function findUserByEmail(db: Executor, email: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(sameText(users.email, email))
  return user
}

export async function findUser(db: Executor, id: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

/** Nobody else changes the account, or signs in to it, until the transaction ends. */
export async function lockUser(tx: Transaction, id: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  return user
}

export async function lockUserByEmail(tx: Transaction, email: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(sameText(users.email, email)).for('update')
  return user
}

export async function updateUser(
  tx: Transaction,
  id: string,
  changed: Partial<
    Pick<
      UserRow,
      | 'firstName'
      | 'lastName'
      | 'email'
      | 'verified'
      | 'previousEmail'
      | 'previousEmailVerified'
      | 'passwordHash'
    >
  >,
): Promise<UserRow> {
  return onlyRow(await tx.update(users).set(changed).where(eq(users.id, id)).returning())
}

/** Which of the two are in use already. An address that an account entered in its profile counts once it is confirmed. */
export async function findTaken(
  db: Executor,
  { email, username }: { email: string; username: string },
): Promise<{ email: boolean; username: boolean }> {
  const rows = await db
    .select({
      email: sql<boolean>`${sameText(users.email, email)} and ${users.previousEmail} is null`,
      username: sql<boolean>`${sameText(users.username, username)}`,
    })
    .from(users)
    .where(or(sameText(users.email, email), sameText(users.username, username)))
  return { email: rows.some((row) => row.email), username: rows.some((row) => row.username) }
}

export async function insertUser(tx: Transaction, user: typeof users.$inferInsert): Promise<UserRow> {
  return onlyRow(await tx.insert(users).values(user).returning())
}

export async function findAdministratorRating(db: Executor, id: string) {
  const { username, rating, reviewCount } = administrators
  const [row] = await db
    .select({ id: administrators.id, username, rating, reviewCount })
    .from(administrators)
    .where(eq(administrators.id, id))
  return row
}

export async function findAdministratorByUsername(db: Executor, username: string) {
  const [administrator] = await db
    .select()
    .from(administrators)
    .where(sameText(administrators.username, username))
  return administrator
}
