import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from './pool.ts'

/** Tells every server that listens to a channel, when (and only if) the transaction commits. */
export async function notify(db: Executor, channel: string, payload = ''): Promise<void> {
  await db.execute(sql`select ${notifying(channel, payload)}`)
}

/** The same as a call, to be sent together with other changes. PostgreSQL carries at most 8000 bytes. */
export function notifying(channel: string, payload = ''): SQL {
  return sql`pg_notify(${channel}, ${payload})`
}
