import type pg from 'pg'
import { OperatorError } from '#server/platform/config/operator-error.ts'

/** Values with which an answered request survives a power cut. */
const needed: Record<string, readonly string[]> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  // All of these flush to the local disk before the commit returns. Only "off" does not.
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
}
const oldestVersion = 150_000

/**
 * Refuses a PostgreSQL that is too old or may lose committed data.
 *
 * @throws {OperatorError} naming the setting, its value and the allowed values.
 */
export async function checkDurability(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)',
    [[...Object.keys(needed), 'server_version_num', 'server_version']],
  )
  const held = new Map(rows.map(({ name, setting }) => [name, setting]))
  if (Number(held.get('server_version_num')) < oldestVersion)
    throw new OperatorError(
      `the database is PostgreSQL ${held.get('server_version')}; it must be 15 or newer`,
    )
  for (const [name, allowed] of Object.entries(needed)) {
    const value = held.get(name) ?? 'unknown'
    if (!allowed.includes(value))
      throw new OperatorError(
        `the database has ${name} = ${value}; it must be ${allowed.join(', ')}, or accepted sales could be lost`,
      )
  }
}
