import { randomBytes } from 'node:crypto'
import { type FillOptions, fill } from '#bench/data/fill.ts'
import { type KeyRing, parseKeys } from '#server/platform/vault/key-ring.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** A database with generated data, whose sellers cannot sign in. */
export async function createFilledDatabase(
  size: Pick<FillOptions, 'submissions' | 'users' | 'threads'>,
): Promise<TestDatabase & { readonly keys: KeyRing; fillAgain(): Promise<void> }> {
  const keys = parseKeys(
    ['k1', 'index'].map((id) => `${id}:${randomBytes(32).toString('base64')}`),
    'the test',
  )
  const database = await createTestDatabase()
  const fillAgain = () => fill({ pool: database.pool, keys, passwordHash: '!', ...size })
  await fillAgain()
  return { ...database, keys, fillAgain }
}
