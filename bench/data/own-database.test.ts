import { expect, it } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { migrateOwn } from './own-database.ts'

const empty = 'template0'

it('adds to a database that it has created', async () => {
  const { db, pool } = await createTestDatabase(empty)
  await migrateOwn(db)
  await migrateOwn(db)
  expect((await pool.query('select is_generated from installation')).rows).toEqual([{ is_generated: true }])
})

it('refuses any other database, and does not migrate one of an earlier version', async () => {
  const { db, pool } = await createTestDatabase()
  const newest = '(select max(name) from migrations)'
  await pool.query(
    `alter table installation drop column is_generated; delete from migrations where name = ${newest}`,
  )
  await expect(migrateOwn(db)).rejects.toThrow(
    /^This database was not created by npm run data, so it may be a real shop\. /,
  )
  const { rows } = await pool.query(
    "select from pg_attribute where attrelid = 'installation'::regclass and attname = 'is_generated'",
  )
  expect(rows).toEqual([])
})
