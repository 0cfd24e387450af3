import { createHash } from 'node:crypto'
import type { Query, SQL } from 'drizzle-orm'
import type { PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type { Executor } from './pool.ts'
import { type Fields, type Read, rowReader } from './row-reader.ts'

/**
 * Runs a statement that PostgreSQL reads and plans once for each connection and not at each call. For those whose text is
 * one of a few, whatever their values; their plan may not depend on these either.
 */
export async function executePrepared<Row = unknown>(db: Executor, statement: SQL): Promise<readonly Row[]> {
  const query = db.execute(statement).getQuery()
  const answer = await db._.session.prepareQuery(query, undefined, nameOf(query.sql), false).execute()
  return (answer as { rows: Row[] }).rows
}

/** The same text, and no other, has this name. */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** A select of drizzle's. Its joins are inner ones: in place of a group that is not there stood an object full of nulls. */
export interface Select<Row> {
  readonly toSQL: () => Query
  readonly _: {
    /** Columns and expressions, also in groups. */
    readonly selectedFields: object
    readonly result: Row[]
    readonly nullabilityMap: Readonly<Record<string, 'not-null'>>
  }
}

/** A select whose placeholders are filled at each call. */
export interface PreparedSelect<Row> {
  readonly execute: (values: Record<string, unknown>) => Promise<Row[]>
}

/**
 * Does what drizzle's own `prepare` does, but finds out once how a row is read. Drizzle asks for each field of each row
 * what it is and where it goes: of a page of many columns that takes more than a tenth of the server's time.
 *
 * @param name what PostgreSQL calls the plan that it keeps; empty: it plans at each call
 */
export function prepareSelect<Row>(db: Executor, select: Select<Row>, name: string): PreparedSelect<Row> {
  const read = rowReader(select._.selectedFields as Fields) as Read<Row>
  const rowsOf = (rows: unknown[][]) => rows.map(read)
  type Config = PreparedQueryConfig & { execute: Row[] }
  return db._.session.prepareQuery<Config>(select.toSQL(), undefined, name, true, rowsOf)
}
