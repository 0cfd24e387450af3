import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, createPool, type Database } from '#server/platform/database/pool.ts'
import { afterwards } from './afterwards.ts'
import { urlOfDatabase } from './database-url.ts'

export type TestDatabase = {
  url: string
  pool: pg.Pool
  db: Database
  /** Closes the pool and drops the database. Happens automatically after the test. */
  drop: () => Promise<void>
}

/** Creates a migrated, empty database and drops it after the test, or after all tests of the file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `unspent_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')}`)

  const url = urlOfDatabase(server, name)
  const pool = createPool({ connection: url, max: 10, onError: () => undefined })
  const drop = async (): Promise<void> => {
    if (!pool.ending) await pool.end()
    await onServer(server, endConnections(name), `DROP DATABASE IF EXISTS ${name}`)
  }
  afterwards(drop)
  return { url, pool, db: createDatabase(pool), drop }
}

/** `DROP … WITH (FORCE)` fails while autovacuum runs there, because that belongs to a superuser. A plain `DROP` stops it. */
function endConnections(name: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`
}

/** One at a time: copying a template fails while another copy of it is made. */
async function onServer(server: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('Unspent test databases'))")
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}
