import type { Context } from '#server/context.ts'
import { deleteOldBrowsers } from '#server/features/people/known-browsers.ts'
import { deleteOldLinks } from '#server/features/people/sellers/mailed-links.ts'
import { deleteExpiredSessions } from '#server/features/people/sessions/sessions.ts'
import { eraseOldSecrets } from '#server/features/submissions/erase.ts'
import { deleteOldCounts } from '#server/http/limits/shared-limiter.ts'
import { readClock } from '#server/platform/database/clock.ts'
import { deleteOldJobs } from '#server/platform/jobs/jobs.ts'
import { collectPhotos } from '#server/platform/photos/intents.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
/** Any submission has committed or failed long before its photos are this old. */
const UNCONFIRMED_PHOTO_MS = 24 * HOUR_MS

/** Cleans up every hour. Every server does, which is harmless. */
export class Housekeeping {
  readonly #context: Context
  readonly #eraseAfterDays: number
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #sessionsTimer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #deletingSessions: Promise<void> = Promise.resolve()

  /** @param eraseAfterDays days from the final status of a submission until its secrets are erased */
  constructor(context: Context, { eraseAfterDays }: { eraseAfterDays: number }) {
    this.#context = context
    this.#eraseAfterDays = eraseAfterDays
  }

  start(): void {
    // Right away, for servers that are restarted often.
    this.#running = this.tidy()
    this.#timer = setInterval(() => {
      // Never two at once: a million photos in a slow store may take longer than an hour.
      this.#running = this.#running.then(() => this.tidy())
    }, HOUR_MS).unref()
    // Every minute, because the open sockets of a session end with it.
    this.#sessionsTimer = setInterval(() => {
      const { db, log } = this.#context
      this.#deletingSessions = deleteExpiredSessions(db).catch((err) =>
        log.warn({ err }, 'cannot delete expired sessions; it tries again in a minute'),
      )
    }, MINUTE_MS).unref()
  }

  /** Stops after the current batch. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearInterval(this.#sessionsTimer)
    this.#stopping.abort()
    await Promise.all([this.#running, this.#deletingSessions])
  }

  /** Runs every step once. Logs failures and continues. */
  async tidy(): Promise<void> {
    const { db, log } = this.#context
    const steps = {
      sessions: () => deleteExpiredSessions(db),
      jobs: () => deleteOldJobs(db),
      links: () => deleteOldLinks(db),
      browsers: () => deleteOldBrowsers(db),
      secrets: () => this.#eraseSecrets(),
      limits: () => deleteOldCounts(db),
      photos: () => this.#collectPhotos(),
    }
    for (const [step, tidyUp] of Object.entries(steps)) {
      if (this.#stopping.signal.aborted) return
      try {
        await tidyUp()
      } catch (err) {
        log.warn({ err, step }, 'housekeeping failed; it tries again in an hour')
      }
    }
  }

  async #eraseSecrets(): Promise<void> {
    const erased = await eraseOldSecrets(this.#context, this.#eraseAfterDays, this.#stopping.signal)
    if (erased > 0) this.#context.log.info({ erased }, 'erased secrets of old submissions')
  }

  async #collectPhotos(): Promise<void> {
    const { db, photos, log } = this.#context
    const before = new Date((await readClock(db))() - UNCONFIRMED_PHOTO_MS)
    const removed = await collectPhotos({ db, photos, before, signal: this.#stopping.signal })
    if (removed > 0) log.info({ removed }, 'removed photos without a submission')
  }
}
