import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type CallLimit, callLimits, type LimitName } from '#contract/route.ts'
import type { Key } from '#words/keys.ts'
import { Refusal } from '../refusal.ts'
import type { PaceOptions } from './pace.ts'
import { SharedLimiter } from './shared-limiter.ts'

interface Limit extends CallLimit {
  /** The text of the refusal. */
  readonly refusal?: Key
}

/** The limits that routes name, and the server's own. */
export const limitTable = {
  ...callLimits,
  /** Wrong passwords for one account. Any hour can overlap two windows, so it allows at most 20 guesses. */
  passwordGuess: { points: 10, seconds: 60 * 60, refusal: 'refusals.too_many_passwords' },
  /** Wrong passwords from a browser in which the owner of the account has signed in before. */
  knownBrowserGuess: { points: 10, seconds: 60 * 60, refusal: 'refusals.too_many_passwords' },
  /** Unknown session cookies from one address. Each costs a query. */
  unknownSession: { points: 300, seconds: 60 },
  /** Handshakes of the live channel from one address. After a restart, all of its windows reconnect at once. */
  handshake: { points: 1200, seconds: 60 },
} satisfies Record<string, Limit>
type CountedName = keyof typeof limitTable

/** Counted in memory, to protect one process. All others are counted in PostgreSQL, across processes and restarts. */
const LOCAL: ReadonlySet<string> = new Set<CountedName>([
  'read',
  'write',
  'probe',
  'unknownSession',
  'handshake',
])

/** Whether calls refused as invalid are uncounted, so a mistake in the contact form costs nothing. */
export const refundsInvalid = (name: LimitName): name is 'contact' => name === 'contact'

/** What one client may have in flight in one process. */
const inFlightLimits = {
  /** Connections of one address. In an office, each browser opens six. */
  connections: 1000,
  /** Unfinished calls of one address: a tenth of what a process handles at the same time. */
  calls: 100,
  /** Bytes of unread answers of one person, or of an address for visitors. */
  unreadBytes: 32 * 1024 * 1024,
}
export type InFlightLimits = Readonly<typeof inFlightLimits>

/**
 * Requests and new connections of one address to one process. A first visit of staff takes 80 requests, so a dozen of an
 * office may start at once. 100 requests a second take 2% of a processor. All connections of an address wait 10 seconds at most.
 */
export const pace = { burst: 1000, perSecond: 100 }

export interface Limits {
  readonly inFlight: InFlightLimits
  readonly pace: PaceOptions
  /** Counts a call, or as many as `points`. Throws `too_many_requests` if that is too many. */
  count(name: CountedName, client: string, points?: number): Promise<void>
  /** Throws like `count`, but counts nothing. Only for limits counted in memory. */
  check(name: CountedName, client: string): Promise<void>
  /** Uncounts a call, or as many as `points`. */
  giveBack(name: CountedName, client: string, points?: number): Promise<void>
}

/** For tests. The settings allow it on a loopback address only. */
export const noLimits: Limits = {
  inFlight: { connections: Infinity, calls: Infinity, unreadBytes: Infinity },
  pace: { burst: 1, perSecond: Infinity },
  count: async () => {},
  check: async () => {},
  giveBack: async () => {},
}

export function createLimits(pool: Pool): Limits {
  const limiters = new Map(
    Object.entries(limitTable).map(([name, limit]) => [name, createLimiter(name, limit, pool)]),
  )
  return {
    inFlight: inFlightLimits,
    pace,
    async count(name, client, points) {
      try {
        await limiters.get(name)?.consume(client, points)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw tooMany(name, refused.msBeforeNext)
      }
    },
    async check(name, client) {
      const limiter = limiters.get(name)
      const counted = limiter instanceof RateLimiterMemory ? await limiter.get(client) : null
      if (counted && counted.remainingPoints <= 0) throw tooMany(name, counted.msBeforeNext)
    },
    async giveBack(name, client, points) {
      await limiters.get(name)?.reward(client, points)
    },
  }
}

function tooMany(name: CountedName, msBeforeNext: number): Refusal {
  const { refusal = 'refusals.too_many_requests' }: Limit = limitTable[name]
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
  // Minutes from 100 seconds on.
  const minutes = retryAfter < 100 ? 0 : Math.ceil(retryAfter / 60)
  return new Refusal('too_many_requests', refusal, { retryAfter, params: { minutes, seconds: retryAfter } })
}

function createLimiter(name: string, { points, seconds }: Limit, pool: Pool) {
  if (LOCAL.has(name)) return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
  return new SharedLimiter(pool, { name, points, seconds })
}
