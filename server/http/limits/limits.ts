import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type CallLimit, callLimits, type LimitName } from '#contract/route.ts'
import { Refusal } from '../refusal.ts'
import { SharedLimiter } from './shared-limiter.ts'

interface Limit extends CallLimit {
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
  /** Session cookies that name no session, from one address. Each costs a look-up. */
  | 'unknownSession'
  /** Handshakes of the live channel, from one address. */
  | 'handshake'

/** The limits of the contract, each of whose routes names its row, and those that are the server's own. */
export const limitTable: Readonly<Record<Exclude<LimitName, 'none'> | InnerLimitName, Limit>> = {
  read: { ...callLimits.read, shared: false },
  write: { ...callLimits.write, shared: false },
  signIn: { ...callLimits.signIn, shared: true },
  adminSignIn: { ...callLimits.adminSignIn, shared: true },
  register: { ...callLimits.register, shared: true },
  // An hour can touch two windows: at most 20 guesses at one account are looked at within any hour.
  passwordGuess: { points: 10, seconds: 60 * 60, shared: true, message: WRONG_PASSWORDS },
  knownBrowserGuess: { points: 10, seconds: 60 * 60, shared: true, message: WRONG_PASSWORDS },
  account: { ...callLimits.account, shared: true },
  forgotPassword: { ...callLimits.forgotPassword, shared: true },
  confirmEmail: { ...callLimits.confirmEmail, shared: true },
  submit: { ...callLimits.submit, shared: true },
  reveal: { ...callLimits.reveal, shared: true },
  contact: { ...callLimits.contact, shared: true, sparesInvalid: true },
  chat: { ...callLimits.chat, shared: true },
  probe: { ...callLimits.probe, shared: false },
  unknownSession: { points: 300, seconds: 60, shared: false },
  // After a restart all windows behind one address come back within a minute.
  handshake: { points: 1200, seconds: 60, shared: false },
}

/** What one client may have in flight at one process. */
export interface InFlightLimits {
  /** Connections of one address. An office behind it has six for each browser. */
  readonly connections: number
  /** Calls of one address whose handlers are not done. A tenth of what a process takes on at once. */
  readonly calls: number
  /** Bytes of answers that one person, or one address of visitors, has not read. */
  readonly unreadBytes: number
}

const inFlightLimits: InFlightLimits = {
  connections: 1000,
  calls: 100,
  unreadBytes: 32 * 1024 * 1024,
}

export interface Limits {
  readonly inFlight: InFlightLimits
  /** Counts one call; refuses it with 429 when there were too many. */
  count(name: LimitName | InnerLimitName, client: string): Promise<void>
  /** Refuses as `count` does, and counts nothing. Only for limits that are not shared. */
  check(name: InnerLimitName, client: string): Promise<void>
  /** Takes one counted call back: it was not what the limit is for. */
  giveBack(name: LimitName | InnerLimitName, client: string): Promise<void>
}

/** For tests only; the settings refuse it on any address but loopback. */
export const noLimits: Limits = {
  inFlight: { connections: Infinity, calls: Infinity, unreadBytes: Infinity },
  count: async () => {},
  check: async () => {},
  giveBack: async () => {},
}

export function createLimits(pool: Pool, inFlight = inFlightLimits): Limits {
  const limiters = new Map(
    Object.entries(limitTable).map(([name, limit]) => [name, createLimiter(name, limit, pool)]),
  )
  return {
    inFlight,
    async count(name, client) {
      try {
        await limiters.get(name)?.consume(client)
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
    async giveBack(name, client) {
      await limiters.get(name)?.reward(client)
    },
  }
}

function tooMany(name: LimitName | InnerLimitName, msBeforeNext: number): Refusal {
  return new Refusal('too_many_requests', messageOf(name), {
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  })
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
