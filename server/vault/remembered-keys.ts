import { eq } from 'drizzle-orm'
import type { Database } from '#server/database/pool.ts'
import { keyCheck } from '#server/database/schema.ts'
import { makeKeyCheck, verifyKeyCheck } from './key-check.ts'
import type { KeyRing } from './key-ring.ts'

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
  await db.update(keyCheck).set(makeKeyCheck(keys)).where(eq(keyCheck.single, true))
}
