import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { registration } from '#contract/accounts.ts'
import type { FieldError } from '#contract/errors.ts'
import type { Context } from '#server/context.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { EMAIL_TAKEN, emailTaken, refuseCommonPassword, refuseTaken } from './actions.ts'
import { claimEmail, mailConfirmation } from './email.ts'
import * as queries from './queries.ts'
import { isReserved } from './token-queries.ts'

/**
 * Creates a seller's account and mails the link that confirms its address. Throws `Refusal` when a field is taken,
 * reserved or a leaked password.
 */
export async function register(
  context: Context,
  fields: z.output<typeof registration>,
): Promise<queries.UserRow> {
  await refuseCommonPassword(fields.password)
  refuseTaken(await takenFields(context, fields))
  const { password, ...user } = fields
  const passwordHash = await context.passwords.hash(password)
  try {
    return await transaction(context.db, async (tx) => {
      await claimEmail(tx, fields.email)
      const phoneNumber = user.phoneNumber ?? null
      const created = await queries.insertUser(tx, { id: uuidv7(), ...user, phoneNumber, passwordHash })
      await mailConfirmation(tx, created, 'registered')
      return created
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Another registration took the name or the address at the same time.
    refuseTaken(await takenFields(context, fields))
    throw emailTaken()
  }
}

async function takenFields(
  { db, site }: Context,
  fields: { email: string; username: string },
): Promise<FieldError[]> {
  const taken = await queries.findTaken(db, fields)
  const errors: FieldError[] = []
  if (taken.username || site.adminUsernames.has(fields.username.toLowerCase())) {
    errors.push({ path: 'username', message: 'This username is already taken' })
  }
  if (taken.email || (await isReserved(db, fields.email, undefined))) errors.push(EMAIL_TAKEN)
  return errors
}
