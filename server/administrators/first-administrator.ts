import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { record } from '#server/audit/actions.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/database/transaction.ts'
import { hasAdministrators, insertFirstAdministrator } from './queries.ts'

export interface FirstAdministrator {
  readonly username: string
  /** Set when it was generated here; it is shown once and kept nowhere. */
  readonly generatedPassword?: string
}

/**
 * Creates the first administrator of a new installation.
 * @returns who was created, or undefined when there is an administrator already
 */
export async function createFirstAdministrator(
  { db, passwords }: Context,
  { username, password }: { username: string; password: string | undefined },
): Promise<FirstAdministrator | undefined> {
  if (await hasAdministrators(db)) return undefined
  const chosen = password ?? generatePassword()
  const administrator = { id: uuidv7(), username, passwordHash: await passwords.hash(chosen) }
  const created = await transaction(db, async (tx) => {
    if (!(await insertFirstAdministrator(tx, administrator))) return false
    await record(tx, {
      actor: { kind: 'system' },
      action: 'admin.created',
      subject: { kind: 'administrator', id: username },
    })
    return true
  })
  if (!created) return undefined
  return { username, ...(password === undefined && { generatedPassword: chosen }) }
}

/** 120 random bits in letters that can be read out and typed. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url')
}
