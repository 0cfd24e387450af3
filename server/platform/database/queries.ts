import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { Executor } from './pool.ts'

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

/** Notifies every server that listens on a channel, if and when the transaction commits. At most 8,000 bytes. */
export async function notify(db: Executor, channel: string, payload = ''): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`)
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
