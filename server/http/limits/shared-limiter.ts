import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Database, Transaction } from '#server/platform/database/pool.ts'

interface SharedLimit {
  readonly name: string
  readonly points: number
  readonly seconds: number
}

/** The first call opens a window of so many seconds; the first one after it opens the next. */
const CONSUME = `
  WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
  INSERT INTO rate_limits AS counted (key, points, expire) SELECT $1, 1, now + $2::bigint FROM clock
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN counted.expire <= excluded.expire - $2::bigint THEN 1 ELSE counted.points + 1 END,
    expire = CASE WHEN counted.expire <= excluded.expire - $2::bigint THEN excluded.expire ELSE counted.expire END
  RETURNING points, (expire - (SELECT now FROM clock))::float8 AS "msBeforeNext"`

/**
 * How long a refused client is refused from memory. After that the database is asked again, because its count may have been
 * cleared. A flood of refused calls costs one statement in this time.
 */
const REFUSED_MS = 5_000
/** Maximum clients remembered as refused; the oldest is dropped first. */
const MAX_REFUSED = 10_000

/**
 * Counts in the database and by its clock, for all servers and over restarts. The library's own reckons by the clock of
 * each server: one that is a day fast would end the windows of all others.
 */
export class SharedLimiter {
  readonly #pool: Pool
  readonly #limit: SharedLimit
  readonly #refused = new Map<string, { readonly until: number; readonly at: number }>()

  constructor(pool: Pool, limit: SharedLimit) {
    this.#pool = pool
    this.#limit = limit
  }

  /** Counts one call; rejects with a `RateLimiterRes`, as the library does, when there were too many. */
  async consume(client: string): Promise<void> {
    const known = this.#knownRefusal(client)
    if (known) throw known
    const { points, seconds } = this.#limit
    const query = { name: 'count_call', text: CONSUME, values: [this.#key(client), seconds * 1000] }
    const { rows } = await this.#pool.query<{ points: number; msBeforeNext: number }>(query)
    const [{ points: counted, msBeforeNext } = { points: 0, msBeforeNext: 0 }] = rows
    if (counted > points) throw this.#refuse(client, Math.max(0, msBeforeNext))
  }

  /** Takes one counted call back. */
  async reward(client: string): Promise<void> {
    this.#refused.delete(client)
    await this.#pool.query('UPDATE rate_limits SET points = points - 1 WHERE key = $1 AND points > 0', [
      this.#key(client),
    ])
  }

  #refuse(client: string, msBeforeNext: number): RateLimiterRes {
    this.#refused.set(client, { until: performance.now() + msBeforeNext, at: performance.now() })
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > MAX_REFUSED && oldest !== undefined) this.#refused.delete(oldest)
    return new RateLimiterRes(0, msBeforeNext)
  }

  #knownRefusal(client: string): RateLimiterRes | undefined {
    const known = this.#refused.get(client)
    if (!known) return undefined
    const now = performance.now()
    if (now < known.until && now - known.at < REFUSED_MS) return new RateLimiterRes(0, known.until - now)
    this.#refused.delete(client)
    return undefined
  }

  #key(client: string): string {
    return `${this.#limit.name}:${client}`
  }
}

/** Forgets the wrong passwords that were counted for an account, in all browsers. */
export async function forgetGuesses(tx: Transaction, account: string): Promise<void> {
  await tx.execute(sql`
    delete from rate_limits
    where key = ${`passwordGuess:${account}`} or key like ${`knownBrowserGuess:% ${account}`}`)
}

/** Removes what was counted in windows that have ended. */
export async function deleteOldCounts(db: Database): Promise<void> {
  await db.execute(sql`delete from rate_limits where expire < extract(epoch from now()) * 1000`)
}
