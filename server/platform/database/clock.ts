import { sql } from 'drizzle-orm'
import type { Executor } from './pool.ts'

/** Returns milliseconds since 1970. */
export type Clock = () => number

/**
 * The database's time, continued by this process's monotonic clock. Use it for times that one server writes and another
 * compares, because the servers' own clocks may be wrong or jump.
 */
export async function readClock(db: Executor): Promise<Clock> {
  const { rows } = await db.execute<{ now: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  )
  const ahead = Number(rows[0]?.now) - performance.now()
  return () => ahead + performance.now()
}

/** The database's time as an SQL expression. */
export const databaseTime = sql`clock_timestamp()`.mapWith((text: string) => new Date(text))
