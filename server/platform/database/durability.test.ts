import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { checkDurability } from './durability.ts'
import { createPool } from './pool.ts'

test('refuses a database that may lose committed data', async () => {
  const { pool, url } = await createTestDatabase()
  const name = new URL(url).pathname.slice(1)
  await pool.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  const fresh = createPool({ connection: url, onError: () => undefined })
  await expect(checkDurability(fresh)).rejects.toThrow(/^the database has \w+ = off; it must be .*$/)
  await fresh.end()
})
