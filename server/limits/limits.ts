import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitName } from '#contract/route.ts'
import { Refusal } from '#server/http/refusal.ts'

interface Limit {
  /** Calls allowed per client… */
  readonly points: number
  /** …within this many seconds. */
  readonly seconds: number
  /** Counted in PostgreSQL: holds across processes and restarts. The others only keep a process from flooding. */
  readonly shared: boolean
}

/** The one table of limits; each route of the contract names its row. */
export const limitTable: Readonly<Record<Exclude<LimitName, 'none'>, Limit>> = {
  read: { points: 1200, seconds: 60, shared: false },
  write: { points: 300, seconds: 60, shared: false },
  signIn: { points: 20, seconds: 15 * 60, shared: true },
  adminSignIn: { points: 10, seconds: 15 * 60, shared: true },
  register: { points: 20, seconds: 60 * 60, shared: true },
  submit: { points: 60, seconds: 60 * 60, shared: true },
  reveal: { points: 600, seconds: 60 * 60, shared: true },
  contact: { points: 10, seconds: 60 * 60, shared: true },
  chat: { points: 60, seconds: 60, shared: true },
}

export interface Limits {
  /** Counts one call; refuses it with 429 when there were too many. */
  count(name: LimitName, client: string): Promise<void>
}

/** For tests only; the settings refuse it on any address but loopback. */
export const noLimits: Limits = { count: async () => {} }

export function createLimits(pool: Pool): Limits {
  const limiters = new Map(
    Object.entries(limitTable).map(([name, limit]) => [name, createLimiter(name, limit, pool)]),
  )
  return {
    async count(name, client) {
      try {
        await limiters.get(name)?.consume(client)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new Refusal('too_many_requests', 'Too many requests. Please wait a moment and try again.', {
          retryAfter: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
        })
      }
    },
  }
}

function createLimiter(name: string, { points, seconds, shared }: Limit, pool: Pool) {
  const options = { keyPrefix: name, points, duration: seconds }
  if (!shared) return new RateLimiterMemory(options)
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    // The migrations made it.
    tableCreated: true,
  })
}
