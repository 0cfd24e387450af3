import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { createDatabase, createPool } from './pool.ts'
import { transaction } from './transaction.ts'

it('gives its connection back when the database goes before the transaction begins', async () => {
  const { url } = await createTestDatabase()
  const pool = createPool({ connection: url, max: 1, onError: () => undefined })
  const db = createDatabase(pool)
  // The connection breaks in the moment that it is handed out.
  pool.once('acquire', (client) => Reflect.get(client, 'connection').stream.destroy())
  await expect(transaction(db, async (tx) => tx.execute(sql`select 1`))).rejects.toThrow()
  const { rows } = await transaction(db, async (tx) => tx.execute(sql`select 1 as one`))
  expect(rows).toEqual([{ one: 1 }])
  await pool.end()
})
