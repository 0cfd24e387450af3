import pg from 'pg'
import type { Place } from './folder.ts'

/** The database of the application and the role that owns it, which is no superuser. */
export const appName = 'unspent'

/** Makes role and database where they are missing: a start may have been killed between the two. */
export async function ensureAppDatabase(client: pg.Client, place: Place): Promise<void> {
  const name = pg.escapeIdentifier(appName)
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
            EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database`,
    [appName],
  )
  if (!rows[0]?.role) {
    const password = pg.escapeLiteral(place.passwords.app)
    await client.query(`CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${password}`)
  }
  if (!rows[0]?.database) await client.query(`CREATE DATABASE ${name} OWNER ${name}`)
}
