import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { inSpan, trace } from '#server/platform/trace.ts'
import { isAfterFailure, isUnavailable, isWorthRetrying } from './errors.ts'
import { type Database, stepOf, type Transaction } from './pool.ts'

const MAX_ATTEMPTS = 4

/** What `begin` may ask for. */
type Mode = 'isolation level repeatable read' | 'isolation level repeatable read, read only'

/**
 * Runs `work` in one transaction: it is committed when `work` resolves, rolled back when it rejects. Statements of one `Promise.all`
 * are sent together. After an error the others fail too, and the transaction sends nothing more.
 *
 * After a deadlock or serialization failure `work` runs again, so it must do nothing that a rollback does not undo. Pushes
 * (`publish`) and jobs (`enqueue`) are part of the transaction; other side effects belong after it.
 */
export async function transaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  mode?: Mode,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inSpan({ name: 'transaction' }, () => attemptOn(db, work, mode))
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isWorthRetrying(error)) throw error
      // A random wait, so that the same transactions don't collide again.
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

/** Not drizzle's own `transaction`: it leaks the connection when `begin` fails, and sends what comes after the end. */
async function attemptOn<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  mode: Mode | undefined,
): Promise<T> {
  const client = await db.$client.connect()
  const open = kept.get(client) ?? openOn(client)
  let broken = false
  try {
    await client.query(beginOf(mode))
    const result = await work(open.tx)
    await commit(client, open.tx)
    kept.set(client, open)
    return result
  } catch (error) {
    open.end()
    kept.delete(client)
    broken = isUnavailable(error)
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Tells PostgreSQL the request's id in the same message, which costs no round trip. New jobs store it, including those of triggers. */
function beginOf(mode: Mode | undefined): string {
  const { requestId, span } = trace.getStore() ?? {}
  return [
    mode ? `begin ${mode}` : 'begin',
    requestId && `set local unspent.request_id = ${pg.escapeLiteral(requestId)}`,
    span && `set local unspent.traceparent = ${pg.escapeLiteral(span.traceparent)}`,
  ]
    .filter(Boolean)
    .join('; ')
}

/** Serve the next transaction of their connection, so that statements kept by `keepPrepared` are written once. */
const kept = new WeakMap<pg.PoolClient, ReturnType<typeof openOn>>()

/**
 * Sends statements until a transaction fails. When one part of a `Promise.all` fails, another part may go on: its next statement
 * would be committed alone, or in the next transaction of the connection.
 */
function openOn(client: pg.PoolClient) {
  let hasFailed = false
  let cause: unknown
  /** PostgreSQL runs nothing that was sent after a failed statement, and does not say why. This gives each the error of the failed one. */
  const fail = (error: unknown) => {
    if (!isAfterFailure(error)) cause = error
    throw cause ?? error
  }
  const send = (...statement: Parameters<typeof client.query>) =>
    hasFailed
      ? Promise.reject(new Error('The transaction has ended'))
      : inSpan(
          () => stepOf(statement[0]),
          () => (client.query(...statement) as unknown as Promise<unknown>).catch(fail),
        )
  const statements = { query: send as typeof client.query } as pg.PoolClient
  return {
    tx: Object.assign(drizzle({ client: statements }), { notifications: [] }),
    end: () => {
      hasFailed = true
    },
  }
}

const NOTIFY =
  'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as sent (channel, payload)'

/** The commit is sent with the notifications. If they fail, PostgreSQL rolls back instead. */
async function commit(client: pg.PoolClient, tx: Transaction): Promise<void> {
  const sent = tx.notifications.splice(0)
  const values = [sent.map(([channel]) => channel), sent.map(([, payload]) => payload)]
  const notified = sent.length > 0 && client.query({ name: 'notify', text: NOTIFY, values })
  const [{ command }] = await Promise.all([client.query('commit'), notified])
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement had failed')
}
