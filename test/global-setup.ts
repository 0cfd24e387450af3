import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { connectionUrl, createPool } from '#server/platform/database/pool.ts'
import { urlOfDatabase } from './database-url.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a server and a role that may create databases. */
    databaseServer: string
    /** Name of the migrated database that test databases are copied from. */
    templateDatabase: string
  }
}

type Server = { url: string; stop: () => Promise<void> }

/** Starts one PostgreSQL for all test files and migrates the database that they copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporary = await useOwnTemporaryFolder()
  const server = process.env.TEST_DATABASE_URL ? external(process.env.TEST_DATABASE_URL) : await embedded()
  const template = `unspent_test_${process.pid}_template`
  try {
    await asAdministrator(server.url, `CREATE DATABASE ${template}`)
    await migrateTemplate(server.url, template)
  } catch (error) {
    await server.stop()
    await remove(temporary)
    throw error
  }
  project.provide('databaseServer', server.url)
  project.provide('templateDatabase', template)

  return async () => {
    // The embedded server's folder is removed with all of them.
    if (process.env.TEST_DATABASE_URL) await dropDatabases(server.url, template)
    await server.stop()
    await remove(temporary)
  }
}

/** Removes whatever tests leave in the temporary folder. Others may enter it, because some tests run as another user. */
async function useOwnTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-tests-'))
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  return folder
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

function external(url: string): Server {
  return { url, stop: async () => undefined }
}

async function embedded(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'unspent-test-'))
  const server = await startEmbedded({
    dataDir,
    log: (level, message) => void (level === 'error' && process.stderr.write(`${message}\n`)),
    // Deleted after the tests, so a power cut has nothing to destroy. embedded.test.ts checks the product's own settings.
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  await asAdministrator(connectionUrl(server.superuser), 'ALTER ROLE unspent CREATEDB')
  const stop = async (): Promise<void> => {
    await server.stop()
    await remove(dataDir)
  }
  return { url: server.url, stop }
}

async function migrateTemplate(url: string, template: string): Promise<void> {
  const pool = createPool({ connection: urlOfDatabase(url, template), onError: () => undefined })
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
}

/** Drops the template and its copies. A plain `DROP` stops an autovacuum; one `WITH (FORCE)` may not. */
async function dropDatabases(url: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      template,
    ])
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname}`)
  } finally {
    await client.end()
  }
}

async function asAdministrator(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
