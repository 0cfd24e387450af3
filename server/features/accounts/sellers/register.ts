import { or, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { registration } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { type RefusedField, refusedFields } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import { onlyRow, sameText } from '#server/platform/database/queries.ts'
import { users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { Locale } from '#words/locales.ts'
import { refuseCommonPassword } from '../credentials/password.ts'
import { EMAIL_TAKEN, emailTaken, mailConfirmation, type UserRow } from './account.ts'
import { acquireEmail } from './email.ts'
import { isReserved } from './mailed-links.ts'

/**
 * Creates a seller's account and emails a link that confirms the address. Throws `Refusal` if the username or email is
 * taken or the password is commonly leaked.
 */
export async function register(
  context: Context,
  fields: z.output<typeof registration>,
  locale: Locale,
): Promise<UserRow> {
  await refuseCommonPassword(fields.password)
  await refuseTaken(context, fields)
  const { password, ...user } = fields
  const passwordHash = await context.passwords.hash(password)
  try {
    return await transaction(context.db, async (tx) => {
      await acquireEmail(tx, fields.email)
      const row = { id: uuidv7(), ...user, locale, phoneNumber: user.phoneNumber ?? null, passwordHash }
      const created = onlyRow(await tx.insert(users).values(row).returning())
      await mailConfirmation(tx, created, 'registered')
      return created
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Another registration took the username or the email at the same time.
    await refuseTaken(context, fields)
    throw emailTaken()
  }
}

async function refuseTaken(
  { db, site }: Context,
  { email, username }: { email: string; username: string },
): Promise<void> {
  const found = await db
    .select({
      username: sql<boolean>`${sameText(users.username, username)}`,
      // An address that an account only entered in its profile is free until it is confirmed.
      email: sql<boolean>`${sameText(users.email, email)} and ${users.previousEmail} is null`,
    })
    .from(users)
    .where(or(sameText(users.email, email), sameText(users.username, username)))
  const errors: RefusedField[] = []
  if (found.some((user) => user.username) || site.adminUsernames.has(username.toLowerCase())) {
    errors.push({ path: 'username', code: 'username_taken' })
  }
  if (found.some((user) => user.email) || (await isReserved(db, email, undefined))) errors.push(EMAIL_TAKEN)
  if (errors.length > 0) throw refusedFields('taken', errors)
}
