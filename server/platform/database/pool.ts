import { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Connection } from './connection.ts'

export type Database = NodePgDatabase & { $client: pg.Pool }
/** What a function takes that runs inside a transaction or outside, as its caller says. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
export type Executor = Database | Transaction

export type PoolOptions = {
  /** A connection, or the URL of one. */
  connection: Connection | string
  /** Told of connections that broke while nobody used them; the pool replaces them. */
  onError: (error: Error) => void
  /** Connections at most. */
  max?: number
  /** A statement that takes longer is cancelled. Milliseconds; 0: none is. */
  statementTimeout?: number
  /** Cuts every connection, also one that waits for a database that keeps silent. */
  signal?: AbortSignal
}

/** Opens a pool. Nothing is connected before the first query. */
export function createPool({
  connection,
  onError,
  max = 20,
  statementTimeout = 10_000,
  signal,
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    ...(signal && { stream: () => addAbortSignal(signal, new Socket()) }),
    max,
    application_name: 'unspent',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeout,
    // Longer than any statement may take: whoever holds locks and does nothing has lost its way.
    idle_in_transaction_session_timeout: statementTimeout + 5_000,
  })
  // Without a listener a connection that breaks while idle would end the process. One that is cut is not lost.
  pool.on('error', (error) => signal?.aborted || onError(error))
  // Nor may one that breaks between two statements of a transaction: the next statement rejects anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export function createDatabase(pool: pg.Pool): Database {
  return drizzle({ client: pool })
}
