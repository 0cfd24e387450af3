import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, createPool, type Database } from '#server/platform/database/pool.ts'
import { afterwards } from './afterwards.ts'
import { urlOfDatabase } from './database-url.ts'

export type TestDatabase = {
  name: string
  url: string
  pool: pg.Pool
  db: Database
}

/**
 * Creates a migrated, empty database, or a copy of another one. Its connections close after the test, or after all tests of the
 * file.
 */
export async function createTestDatabase(
  original?: string,
  { timeZone }: { timeZone?: string | undefined } = {},
): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const template = inject('templateDatabase')
  // The global setup drops every database whose name starts like the template's. A DROP during the run would wait for a checkpoint.
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${original ?? template}`)

  const url = urlOfDatabase(server, name)
  const pool = createPool({
    connection: url,
    ...(timeZone && { timeZone }),
    max: 10,
    onError: () => undefined,
  })
  afterwards(async () => {
    if (!pool.ending) await pool.end()
    await onServer(server, endConnections(name))
  })
  return { name, url, pool, db: createDatabase(pool) }
}

/** Connections that a test left open. */
function endConnections(name: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`
}

/** One at a time: copying a template fails while another copy of it is made. */
async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('Unspent test databases'))")
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The schema: columns in any order, indexes, constraints, triggers and functions. */
export async function schemaOf(pool: pg.Pool): Promise<unknown> {
  const parts = [
    `SELECT table_name, column_name, data_type, is_nullable, column_default, is_identity
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    `SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) AS def FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND contype <> 'n' ORDER BY 1, 2`,
    'SELECT pg_get_triggerdef(oid) AS def, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1',
    `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     AND proowner = current_user::regrole AND prolang <> (SELECT oid FROM pg_language WHERE lanname = 'c') ORDER BY 1`,
  ]
  return Promise.all(parts.map(async (part) => (await pool.query(part)).rows))
}
