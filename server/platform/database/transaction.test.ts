import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { isUniqueViolation } from './errors.ts'
import { Listener } from './listener.ts'
import { createDatabase, createPool } from './pool.ts'
import { executePrepared, notify } from './queries.ts'
import { transaction } from './transaction.ts'

const { db, pool, url } = await createTestDatabase()
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

  test('fails with the first error of statements that were sent together, and keeps nothing they did', async () => {
    const failing = transaction(db, async (tx) => {
      const insert = (id: number) =>
        executePrepared(tx, `insert ${id}`, sql`INSERT INTO owner VALUES (${id}, 'x')`)
      const twoSteps = async () => {
        await insert(7)
        await insert(8)
      }
      await Promise.all([insert(6), insert(1), twoSteps()])
    })
    await expect(failing).rejects.toMatchObject({ constraint: 'owner_pkey' })
    expect((await pool.query('SELECT id FROM owner WHERE id > 2')).rows).toEqual([])
  })

  test('tells every statement that was sent together why one of them failed', async () => {
    const failing = transaction(db, async (tx) => {
      const sent = [sql`INSERT INTO owner VALUES (1, 'x')`, sql`SELECT 1`, sql`SELECT 2`]
      const results = await Promise.allSettled(sent.map((statement) => tx.execute(statement)))
      // The last one, as if the parts before it took longer to end.
      throw results.map((result) => result.status === 'rejected' && result.reason).at(-1)
    })
    expect(isUniqueViolation(await failing.catch((error) => error), 'owner_pkey')).toBe(true)
  })

  test('sends the statements of one Promise.all in one system call', async () => {
    const own = createPool({ connection: url, max: 1, onError: () => undefined })
    const writes: string[] = []
    own.once('acquire', (client) => {
      const { stream } = Reflect.get(client, 'connection')
      for (const name of ['_write', '_writev'] as const) {
        const write = stream[name]
        stream[name] = (...sent: unknown[]) => {
          writes.push(name)
          return Reflect.apply(write, stream, sent)
        }
      }
    })
    await transaction(createDatabase(own), async (tx) => {
      await tx.execute(sql`SELECT 1`)
      writes.length = 0
      await Promise.all([1, 2, 3].map((id) => executePrepared(tx, `look ${id}`, sql`SELECT ${id}::int`)))
      expect(writes).toEqual(['_writev'])
    })
    await own.end()
  })

  test('sends nothing after its end, although a part of it goes on', async () => {
    const answered = Promise.withResolvers<void>()
    let late: Promise<unknown> | undefined
    const failing = transaction(db, async (tx) => {
      const goesOn = async () => {
        await tx.execute(sql`SELECT 1`)
        await answered.promise
        await tx.execute(sql`INSERT INTO owner VALUES (9, 'x')`)
      }
      late = goesOn()
      late.catch(() => undefined)
      await Promise.all([late, Promise.reject(new Error('refused'))])
    })
    await expect(failing).rejects.toThrow('refused')
    answered.resolve()
    await expect(late).rejects.toMatchObject({ cause: { message: 'The transaction has ended' } })
    expect((await pool.query('SELECT id FROM owner WHERE id = 9')).rows).toEqual([])
  })

  test('fails if it goes on after an error that it has caught', async () => {
    const forgiving = transaction(db, async (tx) => {
      await tx.execute(sql`INSERT INTO owner VALUES (10, 'x')`)
      await tx.execute(sql`INSERT INTO owner VALUES (1, 'x')`).catch(() => undefined)
    })
    await expect(forgiving).rejects.toThrow('rolled back')
    expect((await pool.query('SELECT id FROM owner WHERE id = 10')).rows).toEqual([])
  })

  test('keeps its prepared statements when they failed before', async () => {
    const one = createPool({ connection: url, max: 1, onError: () => undefined })
    const read = (before: string) =>
      transaction(createDatabase(one), async (tx) => {
        const first = tx.execute(before).catch(() => undefined)
        const [found] = await Promise.all([
          executePrepared(tx, 'owners', sql`SELECT count(*)::int FROM owner`),
          first,
        ])
        return found.rows
      })
    // PostgreSQL does not parse it, because the transaction has failed.
    await expect(read('SELECT 1 / 0')).rejects.toThrow()
    expect(await read('SELECT 1')).toEqual([{ count: 2 }])
    await one.end()
  })

  test('notifies with its commit, or not at all', async () => {
    const heard: string[] = []
    const listener = new Listener({
      connection: { connectionString: url },
      channels: { news: (payload) => heard.push(payload) },
      onGap: () => undefined,
      onError: () => undefined,
    })
    await listener.start()
    const write = (id: number, payload: string) =>
      transaction(db, async (tx) => {
        await notify(tx, 'news', payload)
        await tx.execute(sql`INSERT INTO owner VALUES (${id}, 'x')`)
      })
    await write(11, 'first')
    await expect(write(11, 'failed')).rejects.toThrow()
    await expect(write(12, 'x'.repeat(8000))).rejects.toThrow('payload string too long')
    await write(13, 'last')
    await expect.poll(() => heard).toEqual(['first', 'last'])
    expect((await pool.query('SELECT id FROM owner WHERE id > 10 ORDER BY id')).rows).toEqual([
      { id: 11 },
      { id: 13 },
    ])
    await pool.query('DELETE FROM owner WHERE id > 10')
    await listener.close()
  })
})
