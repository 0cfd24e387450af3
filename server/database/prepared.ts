import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import type { Executor } from './pool.ts'

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
