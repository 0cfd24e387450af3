import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type CallLimit, callLimits } from '#contract/limits.ts'
import type { LimitName } from '#contract/route.ts'
import { Refusal } from '#server/http/refusal.ts'
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
