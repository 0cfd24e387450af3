import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { describeDatabaseError, isUnavailable, isUniqueViolation } from './errors.ts'
import { createPool } from './pool.ts'
import { transaction } from './transaction.ts'

const { db, pool, url } = await createTestDatabase()

beforeAll(async () => {
  await pool.query(`
    CREATE TABLE owner (id int PRIMARY KEY, email text CONSTRAINT owner_email_key UNIQUE);
    CREATE TABLE pet (owner int CONSTRAINT pet_owner_fkey REFERENCES owner, legs int CONSTRAINT pet_legs CHECK (legs >= 0));
    INSERT INTO owner VALUES (1, 'ada@example.com'), (2, 'grace@example.com')`)
})

async function failureOf(query: string): Promise<unknown> {
  return db.execute(sql.raw(query)).then(
    () => expect.unreachable('the query succeeded'),
    (error) => error,
  )
}

describe('errors that drizzle wraps', () => {
  test('are recognized as unique violations by code and constraint', async () => {
    const error = await failureOf("INSERT INTO owner VALUES (3, 'ada@example.com')")
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'owner_email_key')).toBe(true)
    expect(isUniqueViolation(error, 'owner_pkey')).toBe(false)
    expect(isUniqueViolation(await failureOf('INSERT INTO pet VALUES (1, -1)'))).toBe(false)
    expect(isUnavailable(error)).toBe(false)
  })

  test('are logged without values of the row', async () => {
    const error = await failureOf("INSERT INTO owner VALUES (3, 'ada@example.com')")
    expect(describeDatabaseError(error)).toEqual({
      code: '23505',
      constraint: 'owner_email_key',
      table: 'owner',
    })
    expect(describeDatabaseError(new Error('else'))).toBeUndefined()
  })

  test('may have a cause that leads back to itself', () => {
    const error = new Error('round and round')
    error.cause = error
    expect(isUniqueViolation(error)).toBe(false)
  })
})

describe('a database that cannot answer', () => {
  test('is distinguished from our own mistakes', async () => {
    const nowhere = createPool({ connection: 'postgres://u:p@127.0.0.1:1/x', onError: () => undefined })
    expect(isUnavailable(await nowhere.query('SELECT 1').catch((error) => error))).toBe(true)
    expect(isUnavailable(await failureOf('SELECT nonsense'))).toBe(false)
    // What a standby answers to every write.
    expect(isUnavailable(await failureOf('SET TRANSACTION READ ONLY; DELETE FROM pet'))).toBe(true)
    await nowhere.end()
  })

  test.each([
    ['ENOTFOUND', 'getaddrinfo'],
    ['EAI_AGAIN', 'getaddrinfo'],
    ['ENETUNREACH', 'connect'],
  ])('is recognized by the operating system error %s', (code, syscall) => {
    const failure = Object.assign(new Error(`${syscall} ${code} db`), { code, syscall })
    expect(isUnavailable(new Error('Failed query', { cause: failure }))).toBe(true)
    expect(isUnavailable(Object.assign(failure, { path: '/srv/uploads' }))).toBe(false)
  })

  test('cancels a statement that takes too long', async () => {
    const hurried = createPool({ connection: url, onError: () => undefined, statementTimeout: 50 })
    const error = await hurried.query('SELECT pg_sleep(5)').catch((error) => error)
    expect(error).toMatchObject({ code: '57014' })
    expect(isUnavailable(error)).toBe(true)
    await hurried.end()
  })

  test('rejects only the transaction whose connection breaks', async () => {
    const cut = transaction(db, async (tx) => {
      const { rows } = await tx.execute(sql`SELECT pg_backend_pid() AS pid`)
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
      await tx.execute(sql`SELECT 1`)
    })
    expect(isUnavailable(await cut.catch((error) => error))).toBe(true)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })
})
