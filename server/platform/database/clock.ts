import { sql } from 'drizzle-orm'
import type { Executor } from './pool.ts'

/** Tells milliseconds since 1970. */
export type Clock = () => number

/**
 * The time of the database, which all servers share, carried on by this process's own steady clock. Whatever one server
 * writes and another compares is reckoned by it: where the wall clock of a server stands, or jumps to, decides nothing.
 */
export async function readClock(db: Executor): Promise<Clock> {
  const { rows } = await db.execute<{ now: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  )
  const ahead = Number(rows[0]?.now) - performance.now()
  return () => ahead + performance.now()
}

/** The same time, as a query reads it. */
export const databaseTime = sql`clock_timestamp()`.mapWith((text: string) => new Date(text))
