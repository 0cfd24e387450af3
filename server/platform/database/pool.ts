import { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { inSpan, type Step, trace } from '#server/platform/trace.ts'

/** Where a database is and who connects, in the format of `pg`. */
export type Connection = {
  /** A host name, or the absolute path of a Unix socket's folder. */
  host: string
  port: number
  user: string
  password: string
  database: string
  ssl: false
}

/** The same as a URL, which `pg` and libpq understand. It contains the password: never log it. */
export function connectionUrl({ host, port, user, password, database }: Connection): string {
  const [u, p, h] = [user, password, host].map(encodeURIComponent)
  return `postgres://${u}:${p}@${h}:${port}/${encodeURIComponent(database)}`
}

export type Database = NodePgDatabase & { $client: pg.Pool }
/** Made by `transaction`. */
export type Transaction = NodePgDatabase & {
  $client: Pick<pg.PoolClient, 'query'>
  /** What the commit notifies: channels and payloads. */
  readonly notifications: (readonly [channel: string, payload: string])[]
}
/** For functions that run inside or outside a transaction. */
export type Executor = Database | Transaction

type PoolOptions = {
  /** A connection, or the URL of one. */
  connection: Connection | string
  /** Called when an idle connection breaks. The pool replaces it. */
  onError: (error: Error) => void
  /** The time zone in which SQL takes the day of a time. Default: UTC. */
  timeZone?: string
  /** Maximum number of connections. */
  max?: number
  /** Milliseconds after which a statement is canceled. 0 means never. */
  statementTimeout?: number
  /** Closes every connection, including one that waits for a database that does not answer. */
  signal?: AbortSignal
}

/** Creates a pool, which connects at the first query. */
export function createPool({
  connection,
  onError,
  timeZone = 'UTC',
  max = 20,
  statementTimeout = 10_000,
  signal,
}: PoolOptions): pg.Pool {
  const pool = new TracedPool({
    ...connectIn(timeZone, connection),
    stream: () => {
      const socket = new StatementSocket()
      return signal ? addAbortSignal(signal, socket) : socket
    },
    max,
    application_name: 'unspent',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // Statements of a transaction that are sent together arrive together: see docs/decisions/0044-pipelines.md.
    pipeline: true,
    statement_timeout: statementTimeout,
    // Longer than any statement may take, so only a transaction that was forgotten and still holds locks is ended.
    idle_in_transaction_session_timeout: statementTimeout + 5_000,
  })
  // Without a listener, an idle connection that breaks would end the process.
  // Events of a connection run for the request that opened it, which has nothing to do with its end.
  pool.on('error', (error) => signal?.aborted || trace.run(undefined, onError, error))
  // So would one that breaks between two statements of a transaction. The next statement rejects anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

class TracedPool extends pg.Pool {
  override query = ((...sent: Parameters<pg.Pool['query']>) =>
    inSpan(
      () => stepOf(sent[0]),
      () => super.query(...sent) as unknown as Promise<unknown>,
    )) as pg.Pool['query']
}

/** A statement by its prepared name, or its verb and first table. Its text may have values. */
export function stepOf(statement: unknown): Step {
  const { name, text } = typeof statement === 'string' ? { text: statement } : Object(statement)
  const [verb] = /\w+/.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text) ?? []
  const attributes = { 'db.system.name': 'postgresql' }
  return { name: name || [verb, table].filter(Boolean).join(' '), kind: 'client', attributes }
}

/**
 * Sends the statements of one turn of the event loop in one system call. `pg` uncorks after each statement, and those calls took a
 * fifth of the server's time for a move.
 */
class StatementSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork())
  }
}

/** The options of a URL replace ours in `pg`, so the time zone is added to them. */
function connectIn(timeZone: string, connection: Connection | string): pg.PoolConfig {
  const options = `-c TimeZone=${timeZone}`
  if (typeof connection !== 'string') return { ...connection, options }
  const url = new URL(connection)
  const given = url.searchParams.get('options')
  if (!given) return { connectionString: connection, options }
  url.searchParams.set('options', `${given} ${options}`)
  return { connectionString: url.href }
}

export function createDatabase(pool: pg.Pool): Database {
  return drizzle({ client: pool })
}
