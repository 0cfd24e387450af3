import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { checksumOf } from './checksum.ts'
import releasedMigrations from './migrations/released.json' with { type: 'json' }

export const migrationsFolder = join(import.meta.dirname, 'migrations')

/**
 * Migrations that were released when checksums were hashes of all bytes: the checksum of the file, then the hashes that
 * databases may have. The files that these are of differ in comments, and one `0012` in what 0043 adds.
 */
type Released = Readonly<Record<string, readonly string[]>>

type MigrateOptions = {
  folder?: string
  released?: Released
  /** Called before files are applied to a database that has some already. */
  onUpgrade?: () => void
}

type Migration = { name: string; sql: string; checksum: string }
type Applied = { name: string; checksum: string }

/**
 * Migrates the database to the newest version, each file in a separate transaction. If several servers start at once, one
 * migrates and the others wait. There are no down migrations; fix a mistake with another file.
 *
 * @returns the names of the files applied now.
 * @throws {OperatorError} when a file was changed after it was applied, the database is newer than this program, or a
 *   file fails. The files before it stay applied.
 */
export async function migrate(
  pool: pg.Pool,
  { folder = migrationsFolder, released = releasedMigrations, onUpgrade }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await pool.connect()
  try {
    // The pool's timeouts are meant for requests. Migrating a large table takes longer, and so may another server.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    await client.query("SELECT pg_advisory_lock(hashtext('Unspent migrations'))")
    const applied = await readApplied(client)
    const pending = pendingOf(migrations, applied, released)
    if (applied.length > 0 && pending.length > 0) onUpgrade?.()
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    // Closing the connection releases the lock and resets the settings.
    client.release(true)
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
      throw new OperatorError(`the migration ${name} must be named like 0001_what_it_does.sql`)
    if (names[index - 1]?.slice(0, 4) === name.slice(0, 4))
      throw new OperatorError(`the migrations ${names[index - 1]} and ${name} have the same number`)
  }
  return Promise.all(names.map((name) => readMigration(folder, name)))
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  // Git may convert line ends, also those in the functions that a migration creates.
  const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
  return { name, sql, checksum: checksumOf(sql) }
}

async function readApplied(client: pg.PoolClient): Promise<Applied[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS migrations (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`)
  const { rows } = await client.query<Applied>('SELECT name, checksum FROM migrations ORDER BY name')
  return rows
}

function pendingOf(
  migrations: readonly Migration[],
  applied: readonly Applied[],
  released: Released,
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const file = known.get(name)
    if (!file)
      throw new OperatorError(`the database is newer than this program: it contains the migration ${name}`)
    if (!acceptedChecksums(file, released).includes(checksum))
      throw new OperatorError(
        `the migration ${name} was changed after it was applied: undo that, add a new file`,
      )
  }
  const done = new Set(applied.map(({ name }) => name))
  // Versions come out with gaps between the numbers, which later ones fill.
  return migrations.filter(({ name }) => !done.has(name))
}

/** Earlier checksums only count while the file is the released one. */
function acceptedChecksums({ name, checksum }: Migration, released: Released): readonly string[] {
  const known = released[name]
  return known?.[0] === checksum ? known : [checksum]
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [name, checksum])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw new OperatorError(`the migration ${name} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
