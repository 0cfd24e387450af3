import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * Tables that a backup leaves out: sessions with their push subscriptions, links and challenges (some were ended or used since), short-lived
 * counters, claims and exported card numbers, and the photo store with the files to remove from it. The migrations themselves
 * fill `migrations`.
 */
const EXCLUDED = [
  'migrations',
  'sessions',
  'push_subscriptions',
  'sign_in_links',
  'staff_invitations',
  'passkey_challenges',
  'claims',
  'code_exports',
  'rate_limits',
  'installation',
  'photo_intents',
]

/** The tables to back up, with their columns except generated ones. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [EXCLUDED],
  )
  return rows
}

export function copyOut(client: pg.ClientBase, table: Table): Readable {
  return client.query(copyTo(`COPY ${columnsOf(table)} TO STDOUT`))
}

export function copyIn(client: pg.ClientBase, table: Table): Writable {
  return client.query(copyFrom(`COPY ${columnsOf(table)} FROM STDIN`))
}

/** Makes identity columns continue after the restored rows. */
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
