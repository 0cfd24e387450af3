import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject, onTestFinished } from 'vitest'
import { createDatabase, createPool, type Database } from '#server/platform/database/pool.ts'
import { urlOfDatabase } from './database-url.ts'

export type TestDatabase = {
  url: string
  pool: pg.Pool
  db: Database
  /** Closes the pool and removes the database. Done by itself afterwards. */
  drop: () => Promise<void>
}

/** A fresh, migrated and otherwise empty database of its own, removed afterwards. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `unspent_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')}`)

  const url = urlOfDatabase(server, name)
  const pool = createPool({ connection: url, max: 10, onError: () => undefined })
  const drop = async (): Promise<void> => {
    if (!pool.ending) await pool.end()
    await onServer(server, connectionsEnd(name), `DROP DATABASE IF EXISTS ${name}`)
  }
  afterwards(drop)
  return { url, pool, db: createDatabase(pool), drop }
}

/** After the test that it is called for; called in a `beforeAll`, after all of them. */
export function afterwards(work: () => Promise<void>): void {
  try {
    onTestFinished(work)
  } catch {
    afterAll(work)
  }
}

/**
 * In place of `DROP … WITH (FORCE)`, which is refused while autovacuum is at work there, as that is a superuser's. The
 * plain one sends autovacuum away.
 */
function connectionsEnd(name: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`
}

/** Two copies of one template at the same moment: one is refused, as the template is in use. */
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
