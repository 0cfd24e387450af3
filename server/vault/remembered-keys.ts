import { eq } from 'drizzle-orm'
import type { Database } from '#server/database/pool.ts'
import { droppedKeys, keyCheck } from '#server/database/schema.ts'
import { makeKeyCheck, verifyKeyCheck } from './key-check.ts'
import { type KeyRing, KeySettingError } from './key-ring.ts'
import { wrappingKeyId } from './seal.ts'

/**
 * Refuses to start with keys that are not this database's: a key file that was lost and generated anew would
 * leave every older secret unreadable without a word. Throws `KeySettingError`.
 */
export async function verifyKeys(db: Database, keys: KeyRing): Promise<void> {
  // The first start remembers; of two nodes starting at once the slower one compares.
  await db.insert(keyCheck).values(makeKeyCheck(keys)).onConflictDoNothing()
  const [remembered] = await db.select().from(keyCheck)
  if (!remembered) throw new Error('The key check was not stored')
  if (verifyKeyCheck(keys, remembered) === 'current') return
  if ((await db.$count(droppedKeys, eq(droppedKeys.id, keys.currentId))) > 0) {
    throw new KeySettingError(
      `The key "${keys.currentId}" comes first in SECRET_KEYS (or the key file), but it was dropped: remove it`,
    )
  }
  await db.update(keyCheck).set(makeKeyCheck(keys)).where(eq(keyCheck.single, true))
}

/** Which master key was the current one when a server last started; undefined before the first start. */
export async function rememberedKeyId(db: Database): Promise<string | undefined> {
  const [remembered] = await db.select({ wrapped: keyCheck.wrapped }).from(keyCheck)
  return remembered && wrappingKeyId(remembered.wrapped)
}
