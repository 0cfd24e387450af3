import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { statuses } from '#domain/submission.ts'
import { createTestDatabase } from '#test/database.ts'
import * as schema from './schema.ts'

const { pool } = await createTestDatabase()
const tables = Object.values(schema).filter((table) => is(table, PgTable))

it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
  'knows the columns of the table %s as the migrations create them',
  async (name, table) => {
    const { rows } = await pool.query(
      'select column_name as name, is_nullable = $2 as nullable from information_schema.columns where table_name = $1 and table_schema = current_schema()',
      [name, 'YES'],
    )
    const known = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      nullable: !column.notNull,
    }))
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set(known.map((row) => JSON.stringify(row))),
    )
  },
)

it('lets a gift card have every status of the domain', async () => {
  const { rows } = await pool.query(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'gift_cards_status_check'",
  )
  const allowed = [...rows[0].definition.matchAll(/'(\w+)'/g)].map(([, status]) => status)
  expect(new Set(allowed)).toEqual(new Set(statuses))
})
