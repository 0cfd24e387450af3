import pg from 'pg'
import type { Connection } from '../connection.ts'
import type { Place } from './folder.ts'

/** A part of the name of the socket's file; nothing listens on a port of that number. */
export const SOCKET_PORT = 5432

/** The database of the application and the role that owns it, which is no superuser. */
const appName = 'unspent'

/** The way in through the socket as the role that owns the application's database. */
export function appConnection(socketFolder: string, { app }: Place['passwords']): Connection {
  return throughSocket(socketFolder, { user: appName, password: app, database: appName })
}

/** The way in as the role that PostgreSQL itself was made with. */
export function superuserConnection(socketFolder: string, { superuser }: Place['passwords']): Connection {
  return throughSocket(socketFolder, { user: 'postgres', password: superuser, database: 'postgres' })
}

function throughSocket(
  socketFolder: string,
  who: Pick<Connection, 'user' | 'password' | 'database'>,
): Connection {
  return { host: socketFolder, port: SOCKET_PORT, ...who, ssl: false }
}

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
