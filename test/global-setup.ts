import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { connectionUrl } from '#server/platform/database/connection.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { urlOfDatabase } from './database-url.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a role that may make databases; its path names no database of ours. */
    databaseServer: string
    /** The migrated database that those of the tests are copies of. */
    templateDatabase: string
  }
}

type Server = { url: string; stop: () => Promise<void> }

/** Starts one PostgreSQL for all test files and migrates the database they copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporary = await useOwnTemporaryFolder()
  const server = process.env.TEST_DATABASE_URL ? external(process.env.TEST_DATABASE_URL) : await embedded()
  const template = `unspent_template_${process.pid}`
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
    await asAdministrator(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`).catch(
      () => undefined,
    )
    await server.stop()
    await remove(temporary)
  }
}

/** Whatever tests leave in the temporary folder goes with it. Other users may pass: some tests start as one. */
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
    // This cluster is thrown away after the tests, and with it there is nothing to lose in a power cut. What the
    // product itself does is tested where it is started: server/platform/database/embedded.test.ts.
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

async function asAdministrator(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
