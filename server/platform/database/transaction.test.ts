import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { createDatabase, createPool } from './pool.ts'
import { transaction } from './transaction.ts'

const { db, pool } = await createTestDatabase()
beforeAll(async () => {
  await pool.query(`
    CREATE TABLE owner (id int PRIMARY KEY, email text);
    INSERT INTO owner VALUES (1, 'ada@example.com'), (2, 'grace@example.com')`)
})

test('releases its connection when the database goes away before the transaction begins', async () => {
  const { url } = await createTestDatabase()
  const pool = createPool({ connection: url, max: 1, onError: () => undefined })
  const db = createDatabase(pool)
  // Breaks the connection the moment it is acquired.
  pool.once('acquire', (client) => Reflect.get(client, 'connection').stream.destroy())
  await expect(transaction(db, async (tx) => tx.execute(sql`select 1`))).rejects.toThrow()
  const { rows } = await transaction(db, async (tx) => tx.execute(sql`select 1 as one`))
  expect(rows).toEqual([{ one: 1 }])
  await pool.end()
})

describe('a transaction', () => {
  test('runs again after a deadlock, so both succeed', async () => {
    let meet = 0
    const inOrder = (first: number, second: number) =>
      transaction(db, async (tx) => {
        await tx.execute(sql`UPDATE owner SET email = email WHERE id = ${first}`)
        if (++meet <= 2) await expect.poll(() => meet).toBeGreaterThanOrEqual(2)
        await tx.execute(sql`UPDATE owner SET email = email || '+' WHERE id = ${second}`)
      })
    await Promise.all([inOrder(1, 2), inOrder(2, 1)])
    expect(meet).toBeGreaterThan(2)
    const { rows } = await pool.query("SELECT email FROM owner WHERE email LIKE '%+' ORDER BY id")
    expect(rows).toEqual([{ email: 'ada@example.com+' }, { email: 'grace@example.com+' }])
  })

  test('is rolled back and not run again when it fails', async () => {
    let runs = 0
    const failing = transaction(db, async (tx) => {
      runs++
      await tx.execute(sql`DELETE FROM owner WHERE id = 1`)
      await tx.execute(sql`INSERT INTO owner VALUES (5, 'x')`)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(runs).toBe(1)
    expect((await pool.query('SELECT id FROM owner ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }])
  })
})
