import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Executor } from './pool.ts'
import { executePrepared } from './prepared.ts'

/**
 * Carries out changes in one round trip, as parts of one statement: all see what was before it, so no row may be
 * changed by two of them. What is only to be called, like `pg_notify`, is called in the end.
 */
export async function together(
  db: Executor,
  changes: readonly SQLWrapper[],
  calls: readonly SQL[] = [],
): Promise<void> {
  // A query in a statement stands in parentheses by itself.
  const steps = changes.map((change, index) => sql`${sql.raw(`step_${index}`)} as ${change}`)
  await executePrepared(db, sql`with ${sql.join(steps, sql`, `)} select ${sql.join([...calls], sql`, `)}`)
}
