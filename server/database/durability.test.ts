import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { makeDataDir, start } from '#test/embedded.ts'
import { checkDurability } from './durability.ts'
import { createPool } from './pool.ts'

test('a database that may lose what it has committed is refused', async () => {
  const { pool, url } = await createTestDatabase()
  const name = new URL(url).pathname.slice(1)
  await pool.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  const fresh = createPool({ connection: url, onError: () => undefined })
  await expect(checkDurability(fresh)).rejects.toThrow(/^the database has \w+ = off; it may be .*$/)
  await fresh.end()
})

test('the embedded database passes the check that an external one has to pass', async () => {
  const server = await start(await makeDataDir())
  const pool = createPool({ connection: server.connection, onError: () => undefined })
  await expect(checkDurability(pool)).resolves.toBeUndefined()
  await pool.query("SELECT set_config('synchronous_commit', 'off', false)")
  await expect(checkDurability(pool)).rejects.toThrow(
    /^the database has synchronous_commit = off; it may be on, local/,
  )
  await pool.end()
})
