import { eq } from 'drizzle-orm'
import type { Database } from '#server/platform/database/pool.ts'
import { droppedKeys, keyCheck } from '#server/platform/database/schema.ts'
import { makeKeyCheck, verifyKeyCheck } from './key-check.ts'
import { type KeyRing, KeySettingError } from './key-ring.ts'
import { type KeySource, makeKeys, missingKeys } from './keys.ts'

/**
 * Refuses keys that are not this database's: a key file that was lost and generated anew would leave every older secret
 * unreadable without a word. Before the first start there is nothing to hold them against. Throws `KeySettingError`.
 * @returns whether the first of them is the one that was remembered
 */
export async function verifyKeys(db: Database, keys: KeyRing): Promise<boolean> {
  const [remembered] = await db.select().from(keyCheck)
  return remembered !== undefined && verifyKeyCheck(keys, remembered) === 'current'
}

/**
 * Makes the keys of a database that has none yet.
 *
 * @throws {KeySettingError} when the database was sealed with keys that are missing now
 */
export async function makeFirstKeys(db: Database, source: KeySource): Promise<KeyRing> {
  if ((await db.$count(keyCheck)) > 0) throw missingKeys(source)
  return await makeKeys(source)
}

/** What a server does with its keys when it starts: from then on others are refused. Throws `KeySettingError`. */
export async function rememberKeys(db: Database, keys: KeyRing): Promise<void> {
  // The first start remembers; of two nodes starting at once the slower one compares.
  await db.insert(keyCheck).values(makeKeyCheck(keys)).onConflictDoNothing()
  if (await verifyKeys(db, keys)) return
  if ((await db.$count(droppedKeys, eq(droppedKeys.id, keys.currentId))) > 0) {
    throw new KeySettingError(
      `The key "${keys.currentId}" comes first in SECRET_KEYS (or the key file), but it was dropped: remove it`,
    )
  }
  await db.update(keyCheck).set(makeKeyCheck(keys)).where(eq(keyCheck.single, true))
}
