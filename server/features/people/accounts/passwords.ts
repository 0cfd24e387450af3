import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { PasswordHasher } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ConcurrencyLimit, QueueFull } from '#server/platform/concurrency-limit.ts'
import { letHashingStepBack } from './step-back.ts'

/** The library's const enum doesn't exist at run time. */
const ARGON2ID = 2

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const ARGON2 = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing of passwords, off the event loop and never more at once than there are cores. */
export class Passwords implements PasswordHasher {
  readonly #limit = new ConcurrencyLimit({ concurrency: availableParallelism(), maxWaiting: 200 })
  /** Made before anybody asks: the first sign-in without an account takes no longer than the others. */
  readonly #decoy = hash(randomBytes(16), ARGON2).finally(letHashingStepBack)

  /** @returns the hash in PHC form, which carries its parameters and salt */
  hash(password: string): Promise<string> {
    return this.#run(() => hash(password, ARGON2))
  }

  /** Without a hash (no such account) it does the same work and answers false: the time tells nothing. */
  async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
    const against = passwordHash ?? (await this.#decoy)
    const right = await this.#run(() => verify(against, password))
    return right && passwordHash !== undefined
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#limit.run(work)
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error
      throw new Refusal('busy', 'Too many people are signing in. Please try again in a moment.', {
        retryAfter: 3,
      })
    }
  }
}
