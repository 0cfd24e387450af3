import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'

/** Inserts many rows of one shape in one statement. Columns that no row has get their defaults. */
export async function insertRows<T extends PgTable>(
  pool: Pool,
  table: T,
  rows: readonly T['$inferInsert'][],
): Promise<void> {
  const [shape] = rows
  if (!shape) return
  const given = Object.entries(getTableColumns(table)).filter(([field]) => field in shape)
  const columns = given.map(([, { name }]) => `"${name}"`).join(', ')
  const texts = rows.map((row) => {
    const values: Readonly<Record<string, unknown>> = row
    return Object.fromEntries(given.map(([field, { name }]) => [name, toJson(values[field])]))
  })
  const name = getTableName(table)
  await pool.query(
    `INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", $1)`,
    [JSON.stringify(texts)],
  )
}

function toJson(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return typeof value === 'bigint' ? String(value) : value
}
