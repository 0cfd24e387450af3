import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type CallLimit, callLimits, type LimitName } from '#contract/route.ts'
import { Refusal } from '../refusal.ts'
import { SharedLimiter } from './shared-limiter.ts'

interface Limit extends CallLimit {
  /** Counted in PostgreSQL, so it holds across processes and restarts. The others only protect one process. */
  readonly shared: boolean
  /** The message of the refusal. */
  readonly message?: string
  /** Calls refused as invalid are not counted, so typing mistakes cost nothing. */
  readonly sparesInvalid?: true
}

const WRONG_PASSWORDS = 'Too many wrong passwords for this account. Please try again later.'

/** Limits that no route names. */
type InnerLimitName =
  /** Wrong passwords for one account, from all clients. */
  | 'passwordGuess'
  /** Wrong passwords from a browser in which the owner of the account has signed in before. */
  | 'knownBrowserGuess'
  /** Unknown session cookies from one address. Each costs a query. */
  | 'unknownSession'
  /** Handshakes of the live channel, from one address. */
  | 'handshake'

/** All limits: those that routes name, and the inner ones. */
export const limitTable: Readonly<Record<Exclude<LimitName, 'none'> | InnerLimitName, Limit>> = {
  read: { ...callLimits.read, shared: false },
  write: { ...callLimits.write, shared: false },
  signIn: { ...callLimits.signIn, shared: true },
  adminSignIn: { ...callLimits.adminSignIn, shared: true },
  register: { ...callLimits.register, shared: true },
  // Any hour can overlap two windows, so it allows at most 20 guesses.
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
  // After a restart, all windows behind one address reconnect within a minute.
  handshake: { points: 1200, seconds: 60, shared: false },
}

/** What one client may have in flight in one process. */
export interface InFlightLimits {
  /** Connections of one address. In an office, each browser opens six. */
  readonly connections: number
  /** Unfinished calls of one address: a tenth of what a process handles at the same time. */
  readonly calls: number
  /** Bytes of unread answers of one person, or of an address for visitors. */
  readonly unreadBytes: number
}

const inFlightLimits: InFlightLimits = {
  connections: 1000,
  calls: 100,
  unreadBytes: 32 * 1024 * 1024,
}

export interface Limits {
  readonly inFlight: InFlightLimits
  /** Counts a call. Throws `too_many_requests` if there were too many. */
  count(name: LimitName | InnerLimitName, client: string): Promise<void>
  /** Throws like `count`, but counts nothing. Only for limits that are not shared. */
  check(name: InnerLimitName, client: string): Promise<void>
  /** Uncounts a call. */
  giveBack(name: LimitName | InnerLimitName, client: string): Promise<void>
}

/** For tests. The settings allow it on a loopback address only. */
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
