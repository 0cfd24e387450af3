import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { LimitName } from '#contract/route.ts'
import { Refusal } from '#server/http/refusal.ts'
import { SharedLimiter } from './shared-limiter.ts'

interface Limit {
  /** Calls allowed per client… */
  readonly points: number
  /** …within this many seconds. */
  readonly seconds: number
  /** Counted in PostgreSQL: holds across processes and restarts. The others only keep a process from flooding. */
  readonly shared: boolean
  /** What a person is told who is turned away. */
  readonly message?: string
  /** A call that is refused as not valid isn't counted: who mistypes has done nothing yet. */
  readonly sparesInvalid?: true
}

const WRONG_PASSWORDS = 'Too many wrong passwords for this account. Please try again later.'

/** Limits that are counted by the server itself and not by route. */
type InnerLimitName =
  /** Wrong passwords for one account, whoever guesses. */
  | 'passwordGuess'
  /** The same from a browser in which its owner has signed in before. */
  | 'knownBrowserGuess'

/** The one table of limits; each route of the contract names its row. */
export const limitTable: Readonly<Record<Exclude<LimitName, 'none'> | InnerLimitName, Limit>> = {
  read: { points: 1200, seconds: 60, shared: false },
  write: { points: 300, seconds: 60, shared: false },
  signIn: { points: 20, seconds: 15 * 60, shared: true },
  adminSignIn: { points: 10, seconds: 15 * 60, shared: true },
  register: { points: 20, seconds: 60 * 60, shared: true },
  // An hour can touch two windows: at most 20 guesses at one account are looked at within any hour.
  passwordGuess: { points: 10, seconds: 60 * 60, shared: true, message: WRONG_PASSWORDS },
  knownBrowserGuess: { points: 10, seconds: 60 * 60, shared: true, message: WRONG_PASSWORDS },
  account: { points: 30, seconds: 60 * 60, shared: true },
  forgotPassword: { points: 10, seconds: 60 * 60, shared: true },
  submit: { points: 60, seconds: 60 * 60, shared: true },
  reveal: { points: 600, seconds: 60 * 60, shared: true },
  contact: { points: 10, seconds: 60 * 60, shared: true, sparesInvalid: true },
  chat: { points: 60, seconds: 60, shared: true },
}

export interface Limits {
  /** Counts one call; refuses it with 429 when there were too many. */
  count(name: LimitName | InnerLimitName, client: string): Promise<void>
  /** Takes one counted call back: it was not what the limit is for. */
  giveBack(name: LimitName | InnerLimitName, client: string): Promise<void>
}

/** For tests only; the settings refuse it on any address but loopback. */
export const noLimits: Limits = { count: async () => {}, giveBack: async () => {} }

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
        throw new Refusal('too_many_requests', messageOf(name), {
          retryAfter: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
        })
      }
    },
    async giveBack(name, client) {
      await limiters.get(name)?.reward(client)
    },
  }
}

/** Whether calls that are refused as not valid are given back. */
export function sparesInvalid(name: LimitName): boolean {
  return name !== 'none' && limitTable[name].sparesInvalid === true
}

function messageOf(name: LimitName | InnerLimitName): string {
  const limit = name === 'none' ? undefined : limitTable[name]
  return limit?.message ?? 'Too many requests. Please wait a moment and try again.'
}

function createLimiter(name: string, { points, seconds, shared }: Limit, pool: Pool) {
  if (shared) return new SharedLimiter(pool, { name, points, seconds })
  return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
}
