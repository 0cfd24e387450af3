/** Where a database is and who asks, in the words of `pg`. */
export type Connection = {
  /** A host name, or the absolute path of the folder of a Unix socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
  ssl: false
}

/** The same as a URL, which `pg` and libpq both understand. It holds the password: never log it. */
export function connectionUrl({ host, port, user, password, database }: Connection): string {
  const [u, p, h] = [user, password, host].map(encodeURIComponent)
  return `postgres://${u}:${p}@${h}:${port}/${encodeURIComponent(database)}`
}
