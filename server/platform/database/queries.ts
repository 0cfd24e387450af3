import { type AnyColumn, and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { Executor, Transaction } from './pool.ts'
import { users } from './schema.ts'

// Parts of queries that several features share.

/** The row of a statement that always returns one, such as an insert. Throws if there is none. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row')
  return row
}

/** Compares ignoring case, using the index on `lower(column)`. */
export function sameText(column: AnyColumn, text: string): SQL<boolean> {
  return sql<boolean>`lower(${column}) = lower(${text})`
}

/** A pattern for `lower(column) like …` that matches the text anywhere. Escapes % and _. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

/** An object that a query makes as JSON. Names the fields that are times, which JSON has as text. */
export function jsonObject<Row extends object>(query: SQL, ...times: (keyof Row)[]): SQL<Row | null> {
  return query.mapWith((found: Row) => {
    const dates = times.map((name) => [name, found[name] && new Date(found[name] as string)])
    return { ...found, ...Object.fromEntries(dates) }
  }) as SQL<Row | null>
}

/** Notifies every server that listens on a channel, if and when the transaction commits. At most 8,000 bytes. */
export async function notify(tx: Transaction, channel: string, payload = ''): Promise<void> {
  tx.notifications.push([channel, payload])
}

const dialect = new PgDialect()

/**
 * Executes SQL as a prepared statement, which is planned once for each connection. Its text must always be the same.
 * In a `Promise.all`, prepared statements are sent in the order of the calls.
 */
export async function executePrepared<Row extends object>(
  db: Executor,
  name: string,
  query: SQL,
): Promise<pg.QueryResult<Row>> {
  const { sql: text, params: values } = dialect.sqlToQuery(query)
  const client: Pick<pg.PoolClient, 'query'> = db.$client
  return client.query<Row>({ name, text, values })
}

const prepared = new WeakMap<Executor, Map<string, unknown>>()

/** Keeps a prepared statement, because writing its SQL can take drizzle longer than running it. Without a name keeps nothing. */
export function keepPrepared<Statement>(
  db: Executor,
  name: string,
  prepare: (name: string) => Statement,
): Statement {
  if (!name) return prepare(name)
  const kept = prepared.get(db) ?? new Map<string, unknown>()
  prepared.set(db, kept)
  const statement = kept.get(name) ?? prepare(name)
  kept.set(name, statement)
  return statement as Statement
}

/**
 * Whether a seller's account exists and is not deleted. A deletion then waits for the transaction, so it also deletes what the
 * transaction writes. Other changes of the account do not wait.
 */
export async function keepAccount(tx: Transaction, userId: string): Promise<boolean> {
  const kept = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .for('key share')
  return kept.length > 0
}
