import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * What a restored product had better not remember: sessions that were ended since, leases and counters of minutes, and
 * which photo store was its own and which files of it could be removed. `migrations` is made by the migrations themselves.
 */
const NOT_KEPT = [
  'migrations',
  'sessions',
  'sign_in_links',
  'claims',
  'rate_limits',
  'installation',
  'photo_intents',
]

/** All tables that are kept, with the columns that hold something of their own. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [NOT_KEPT],
  )
  return rows
}

export function rowsOut(client: pg.ClientBase, table: Table): Readable {
  return client.query(copyTo(`COPY ${columnsOf(table)} TO STDOUT`))
}

export function rowsIn(client: pg.ClientBase, table: Table): Writable {
  return client.query(copyFrom(`COPY ${columnsOf(table)} FROM STDIN`))
}

/** Numbers given from now on follow those that are there. */
export async function advanceSequences(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `SELECT c.relname AS table, a.attname AS column,
       pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attidentity <> ''`,
  )
  for (const { table, column, sequence } of rows)
    await client.query(
      `SELECT setval($1, coalesce((SELECT max(${quoted(column)}) FROM ${quoted(table)}), 0) + 1, false)`,
      [sequence],
    )
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function columnsOf({ name, columns }: Table): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}
