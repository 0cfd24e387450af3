import type { Context } from '#server/context.ts'
import { tidyAccounts } from '#server/features/people/accounts/tidy.ts'
import { deleteExpiredSessions } from '#server/features/people/sessions/sessions.ts'
import { eraseOldSecrets } from '#server/features/submissions/erase.ts'
import { deleteOldCounts } from '#server/http/limits/shared-limiter.ts'
import { readClock } from '#server/platform/database/clock.ts'
import { deleteOldJobs } from '#server/platform/jobs/jobs.ts'
import { collectPhotos } from '#server/platform/photos/intents.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
/** A submission is committed long before its photos are this old. */
const YOUNG_MS = 24 * HOUR_MS

/** What is tidied up every hour; with several nodes each does it, which is harmless. */
export class Housekeeping {
  readonly #context: Context
  readonly #eraseAfterDays: number
  readonly #ended = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #sessionsTimer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #endingSessions: Promise<void> = Promise.resolve()

  /** @param eraseAfterDays when the secrets of a submission go, counted from its final state */
  constructor(context: Context, { eraseAfterDays }: { eraseAfterDays: number }) {
    this.#context = context
    this.#eraseAfterDays = eraseAfterDays
  }

  start(): void {
    // Not only after an hour: a server that is restarted every day tidies up all the same.
    this.#running = this.tidy()
    this.#timer = setInterval(() => {
      // One after the other: a million photos in a slow store may take longer than the hour.
      this.#running = this.#running.then(() => this.tidy())
    }, HOUR_MS).unref()
    // Every minute, because the open sockets of a session end with it.
    this.#sessionsTimer = setInterval(() => {
      const { db, log } = this.#context
      this.#endingSessions = deleteExpiredSessions(db).catch((err) =>
        log.warn({ err }, 'expired sessions stay for a minute'),
      )
    }, MINUTE_MS).unref()
  }

  /** Ends with the piece at hand: a folder of a million photos is not gone through to its end first. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearInterval(this.#sessionsTimer)
    this.#ended.abort()
    await Promise.all([this.#running, this.#endingSessions])
  }

  /** All of it once. What fails is logged and keeps nothing else from being done. */
  async tidy(): Promise<void> {
    const { db, log } = this.#context
    const steps = {
      sessions: () => deleteExpiredSessions(db),
      jobs: () => deleteOldJobs(db),
      accounts: () => tidyAccounts(db),
      secrets: () => this.#eraseSecrets(),
      limits: () => deleteOldCounts(db),
      photos: () => this.#collectPhotos(),
    }
    for (const [step, tidyUp] of Object.entries(steps)) {
      if (this.#ended.signal.aborted) return
      try {
        await tidyUp()
      } catch (err) {
        log.warn({ err, step }, 'housekeeping failed; it tries again in an hour')
      }
    }
  }

  async #eraseSecrets(): Promise<void> {
    const erased = await eraseOldSecrets(this.#context, this.#eraseAfterDays, this.#ended.signal)
    if (erased > 0) this.#context.log.info({ erased }, 'secrets of old submissions erased')
  }

  async #collectPhotos(): Promise<void> {
    const { db, photos, log } = this.#context
    const before = new Date((await readClock(db))() - YOUNG_MS)
    const removed = await collectPhotos({ db, photos, before, signal: this.#ended.signal })
    if (removed > 0) log.info({ removed }, 'unclaimed photos removed')
  }
}
