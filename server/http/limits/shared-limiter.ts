import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { CallLimit } from '#contract/route.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'

/** The first call starts a window of $2 ms, and the first call after its end starts the next one. */
const CONSUME = `
  WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
  INSERT INTO rate_limits AS counted (key, points, expire) SELECT $1, $3::integer, now + $2::bigint FROM clock
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN counted.expire <= excluded.expire - $2::bigint THEN $3::integer ELSE counted.points + $3::integer END,
    expire = CASE WHEN counted.expire <= excluded.expire - $2::bigint THEN excluded.expire ELSE counted.expire END
  RETURNING points, (expire - (SELECT now FROM clock))::float8 AS "msBeforeNext"`

/**
 * How long a client is refused without asking the database, so a flood of refused calls costs one statement in this time.
 * After that the database is asked again, because its count may have been cleared.
 */
const REFUSED_MS = 5_000
/** Maximum clients remembered as refused. The oldest is dropped first. */
const MAX_REFUSED = 10_000

/**
 * Counts in the database, by its clock, for all servers and across restarts. The library's own PostgreSQL limiter uses
 * each server's clock: one that is a day fast would end everyone's windows.
 */
export class SharedLimiter {
  readonly #pool: Pool
  readonly #limit: CallLimit & { name: string }
  readonly #refused = new Map<string, { readonly until: number; readonly since: number }>()

  constructor(pool: Pool, limit: CallLimit & { name: string }) {
    this.#pool = pool
    this.#limit = limit
  }

  /**
   * Counts a call, or several. Rejects with a `RateLimiterRes`, like the library, if that is too many. Several that do not fit
   * are not counted, so that fewer still may.
   */
  async consume(client: string, count = 1): Promise<void> {
    const known = this.#knownRefusal(client)
    if (known) throw known
    const { points, seconds } = this.#limit
    const query = { name: 'count_call', text: CONSUME, values: [this.#key(client), seconds * 1000, count] }
    const { rows } = await this.#pool.query<{ points: number; msBeforeNext: number }>(query)
    const [{ points: counted, msBeforeNext } = { points: 0, msBeforeNext: 0 }] = rows
    if (counted <= points) return
    if (count === 1) throw this.#refuse(client, Math.max(0, msBeforeNext))
    await this.reward(client, count)
    throw new RateLimiterRes(0, Math.max(0, msBeforeNext))
  }

  /** Uncounts a call, or several. */
  async reward(client: string, count = 1): Promise<void> {
    this.#refused.delete(client)
    await this.#pool.query('UPDATE rate_limits SET points = greatest(points - $2, 0) WHERE key = $1', [
      this.#key(client),
      count,
    ])
  }

  #refuse(client: string, msBeforeNext: number): RateLimiterRes {
    this.#refused.set(client, { until: performance.now() + msBeforeNext, since: performance.now() })
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > MAX_REFUSED && oldest !== undefined) this.#refused.delete(oldest)
    return new RateLimiterRes(0, msBeforeNext)
  }

  #knownRefusal(client: string): RateLimiterRes | undefined {
    const known = this.#refused.get(client)
    if (!known) return undefined
    const now = performance.now()
    if (now < known.until && now - known.since < REFUSED_MS) return new RateLimiterRes(0, known.until - now)
    this.#refused.delete(client)
    return undefined
  }

  #key(client: string): string {
    return `${this.#limit.name}:${client}`
  }
}

/** Resets the count of wrong passwords for an account, in all browsers. */
export async function forgetGuesses(tx: Transaction, account: string): Promise<void> {
  await tx.execute(sql`
    delete from rate_limits
    where key = ${`passwordGuess:${account}`} or key like ${`knownBrowserGuess:% ${account}`}`)
}

/** Deletes the counts of windows that have ended. */
export async function deleteOldCounts(db: Database): Promise<void> {
  await db.execute(sql`delete from rate_limits where expire < extract(epoch from now()) * 1000`)
}
