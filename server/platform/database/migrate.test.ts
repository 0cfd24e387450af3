import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { checksumOf } from './checksum.ts'
import { migrate, migrationsFolder } from './migrate.ts'
import releasedMigrations from './migrations/released.json' with { type: 'json' }
import { createPool } from './pool.ts'

let database: TestDatabase
let pool: pg.Pool
let folder: string

beforeEach(async () => {
  database = await createTestDatabase()
  pool = database.pool
  await pool.query('DROP TABLE IF EXISTS migrations')
  folder = await mkdtemp(join(tmpdir(), 'unspent-migrations-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
const one = 'CREATE SCHEMA tried; CREATE TABLE tried.one (id int);\n'
const two = 'ALTER TABLE tried.one ADD COLUMN name text;\n'

test('applies files in order, once', async () => {
  await write('0002_name.sql', two)
  await write('0001_one.sql', one)
  expect(await migrate(pool, { folder })).toEqual(['0001_one.sql', '0002_name.sql'])
  expect(await migrate(pool, { folder })).toEqual([])
  expect((await pool.query('SELECT name FROM tried.one')).rowCount).toBe(0)
})

test('tells of an upgrade, not of a new database or a start without changes', async () => {
  let told = 0
  const onUpgrade = () => void told++
  await write('0001_one.sql', one)
  await migrate(pool, { folder, onUpgrade })
  await migrate(pool, { folder, onUpgrade })
  expect(told).toBe(0)
  await write('0002_name.sql', two)
  await migrate(pool, { folder, onUpgrade })
  expect(told).toBe(1)
})

test('lets several servers start at once', async () => {
  await write('0001_one.sql', `${one} SELECT pg_sleep(0.2);`)
  const others = [1, 2, 3].map(() => createPool({ connection: database.url, onError: () => undefined }))
  const applied = await Promise.all(others.map((other) => migrate(other, { folder })))
  expect(applied.flat()).toEqual(['0001_one.sql'])
  await Promise.all(others.map((other) => other.end()))
})

test('rolls back a file that fails and keeps those before it', async () => {
  await write('0001_one.sql', one)
  await write('0002_broken.sql', `${two} SELECT nonsense;`)
  await expect(migrate(pool, { folder })).rejects.toThrow(/^the migration 0002_broken.sql failed: .*nonsense/)
  await write('0002_broken.sql', two)
  expect(await migrate(pool, { folder })).toEqual(['0002_broken.sql'])
})

test('refuses a file that changed after it was applied, except for comments, white space and line ends', async () => {
  await write('0001_one.sql', one)
  await migrate(pool, { folder })
  await write('0001_one.sql', `${one.replaceAll('; ', ';\r\n\r\n')}-- and a comment`)
  expect(await migrate(pool, { folder })).toEqual([])
  await write('0001_one.sql', `${one} SELECT 1;`)
  await expect(migrate(pool, { folder })).rejects.toThrow('0001_one.sql was changed after it was applied')
})

test('accepts what earlier versions stored for a released file, while the file is the released one', async () => {
  const bytes = (sql: string) => createHash('sha256').update(sql).digest('hex')
  const released = { '0001_one.sql': [checksumOf(one), bytes(`-- Earlier\n${one}`)] }
  await write('0001_one.sql', one)
  await migrate(pool, { folder })
  const store = (checksum: string) => pool.query('UPDATE migrations SET checksum = $1', [checksum])
  await store(bytes(`-- Earlier\n${one}`))
  expect(await migrate(pool, { folder, released })).toEqual([])
  await write('0001_one.sql', `${one} SELECT 1;`)
  await expect(migrate(pool, { folder, released })).rejects.toThrow(
    '0001_one.sql was changed after it was applied',
  )
  await write('0001_one.sql', one)
  await store(bytes(`${one} SELECT 1;`))
  await expect(migrate(pool, { folder, released })).rejects.toThrow(
    '0001_one.sql was changed after it was applied',
  )
})

test('fills a gap that earlier versions left', async () => {
  await write('0002_two.sql', 'SELECT 2')
  await migrate(pool, { folder })
  await write('0001_one.sql', one)
  expect(await migrate(pool, { folder })).toEqual(['0001_one.sql'])
})

test('has the statements of the released migrations', async () => {
  for (const [name, [checksum]] of Object.entries(releasedMigrations))
    expect([name, checksumOf(await readFile(join(migrationsFolder, name), 'utf8'))]).toEqual([name, checksum])
})

test('refuses a database that is newer than the program', async () => {
  await write('0001_one.sql', one)
  await write('0002_name.sql', two)
  await migrate(pool, { folder })
  await rm(join(folder, '0002_name.sql'))
  await expect(migrate(pool, { folder })).rejects.toThrow(
    'the database is newer than this program: it contains the migration 0002_name.sql',
  )
})

test('refuses a file that shares its number or is misnamed', async () => {
  await write('0002_one.sql', one)
  await write('0002_again.sql', 'SELECT 1')
  await expect(migrate(pool, { folder })).rejects.toThrow(
    '0002_again.sql and 0002_one.sql have the same number',
  )
  await write('0000.sql', 'SELECT 1')
  await expect(migrate(pool, { folder })).rejects.toThrow('0000.sql must be named like')
})

test('has no timeout for migrations', async () => {
  const hurried = createPool({ connection: database.url, onError: () => undefined, statementTimeout: 50 })
  await write('0001_slow.sql', 'SELECT pg_sleep(0.2)')
  expect(await migrate(hurried, { folder })).toEqual(['0001_slow.sql'])
  await hurried.end()
})
