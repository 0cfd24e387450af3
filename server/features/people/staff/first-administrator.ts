import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { hasAdministrators, insertFirstAdministrator } from './queries.ts'

export interface FirstAdministrator {
  readonly username: string
  /** Set if the server generated it. It is shown once and stored nowhere. */
  readonly generatedPassword?: string
}

/**
 * Creates the first administrator of a new installation. Does nothing if there is an administrator already.
 * @param announce shows the password to the operator. It runs before the commit: if the process dies in between,
 * the next start creates the account again, with another password. After the commit a password could be lost.
 */
export async function createFirstAdministrator(
  { db, passwords }: Pick<Context, 'db' | 'passwords'>,
  { username, password }: { username: string; password: string | undefined },
  announce: (created: FirstAdministrator) => void,
): Promise<void> {
  if (await hasAdministrators(db)) return
  const chosen = password ?? generatePassword()
  const administrator = { id: uuidv7(), username, passwordHash: await passwords.hash(chosen) }
  await transaction(db, async (tx) => {
    if (!(await insertFirstAdministrator(tx, administrator))) return
    await record(tx, {
      actor: { kind: 'system' },
      action: 'admin.created',
      subject: { kind: 'administrator', id: username },
    })
    announce({ username, ...(password === undefined && { generatedPassword: chosen }) })
  })
}

/** 120 random bits in letters that can be read out and typed. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url')
}
