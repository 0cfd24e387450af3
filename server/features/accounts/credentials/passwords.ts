import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, constants, setPriority } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import type { PasswordHasher } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ConcurrencyLimit, QueueFull } from '#server/platform/concurrency-limit.ts'

/** The library's const enum does not exist at run time. */
const ARGON2ID = 2

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const ARGON2 = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes passwords off the event loop, at most one per core at a time. Only tests give cheaper parameters. */
export class Passwords implements PasswordHasher {
  readonly #limit = new ConcurrencyLimit({ concurrency: availableParallelism(), maxWaiting: 200 })
  /** Computed up front, so that the first sign-in to a missing account takes no longer than any other. */
  readonly #decoy: Promise<string>
  readonly #parameters: Options

  constructor(cheaper: Options = {}) {
    this.#parameters = { ...ARGON2, ...cheaper }
    this.#decoy = hash(randomBytes(16), this.#parameters).finally(lowerHashingPriority)
  }

  hash(password: string): Promise<string> {
    return this.#run(() => hash(password, this.#parameters))
  }

  async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
    const expected = passwordHash ?? (await this.#decoy)
    const isRight = await this.#run(() => verify(expected, password))
    return isRight && passwordHash !== undefined
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await this.#limit.run(task)
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error
      throw new Refusal('busy', 'refusals.crowded_sign_in', { retryAfter: 3 })
    }
  }
}

/**
 * Gives requests and PostgreSQL priority over hashing, which runs on the threads of libuv. Only Linux has a priority
 * per thread. Elsewhere, and where it is forbidden, requests wait a little longer while many people sign in.
 */
function lowerHashingPriority(): void {
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'libuv-worker') setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
    }
  } catch {}
}
