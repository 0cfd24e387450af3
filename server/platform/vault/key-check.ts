import { eq } from 'drizzle-orm'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { droppedKeys, keyCheck } from '#server/platform/database/schema.ts'
import { INDEX_KEY_ID, type KeyRing } from './key-ring.ts'
import { type KeySource, makeKeys, missingKeys } from './keys.ts'
import { blindIndex, newDataKey, unwrapKey, wrapKey, wrappingKeyId } from './seal.ts'

/**
 * Compares the keys with those that the database was sealed with. Without this a new key file would leave all older secrets
 * unreadable, unnoticed. Accepts any keys before the first start.
 *
 * @returns whether the current master key is still the same
 * @throws {OperatorError}
 */
export async function verifyKeys(db: Database, keys: KeyRing): Promise<boolean> {
  const [check] = await db.select().from(keyCheck)
  return check !== undefined && verifyKeyCheck(keys, check)
}

/** Makes the keys of a new database. Throws `OperatorError` if the database was sealed with keys that are missing. */
export async function makeFirstKeys(db: Database, source: KeySource): Promise<KeyRing> {
  if ((await db.$count(keyCheck)) > 0) throw missingKeys(source)
  return await makeKeys(source)
}

/** Verifies the keys when a server starts, and stores the check. Throws `OperatorError`. */
export async function rememberKeys(db: Database, keys: KeyRing): Promise<void> {
  // If two servers start for the first time, the slower one verifies its keys.
  await db.insert(keyCheck).values(makeKeyCheck(keys)).onConflictDoNothing()
  if (await verifyKeys(db, keys)) return
  if ((await db.$count(droppedKeys, eq(droppedKeys.id, keys.currentId))) > 0) {
    throw new OperatorError(
      `The key "${keys.currentId}" comes first in SECRET_KEYS (or the key file), but it was dropped: remove it`,
    )
  }
  await saveKeyCheck(db, keys)
}

/** Replaces the stored check after the current master key has changed. */
export async function saveKeyCheck(db: Database, keys: KeyRing): Promise<void> {
  await db.update(keyCheck).set(makeKeyCheck(keys)).where(eq(keyCheck.single, true))
}

/** What a database stores to recognize its keys. */
export type KeyCheck = Pick<typeof keyCheck.$inferSelect, 'wrapped' | 'index'>

const CONTEXT = { table: 'vault', column: 'key_check', row: '' }

export function makeKeyCheck(ring: KeyRing): KeyCheck {
  return { wrapped: wrapKey(ring, newDataKey(), CONTEXT), index: blindIndex(ring, 'key check', '') }
}

/** Whether the current master key is still the same. Throws `OperatorError` if these are not the keys of the check. */
export function verifyKeyCheck(ring: KeyRing, check: KeyCheck): boolean {
  const id = wrappingKeyId(check.wrapped)
  if (!blindIndex(ring, 'key check', '').equals(check.index)) throw wrongKey(INDEX_KEY_ID)
  try {
    unwrapKey(ring, check.wrapped, CONTEXT).fill(0)
  } catch {
    throw wrongKey(id)
  }
  return id === ring.currentId
}

function wrongKey(id: string): OperatorError {
  return new OperatorError(
    `SECRET_KEYS (or the key file) lacks the key "${id}" that this database was sealed with, or has another key ` +
      'of that name. Restore it: the secrets cannot be read without it.',
  )
}
