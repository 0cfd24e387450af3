import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/platform/database/pool.ts'
import type { JobKind, JobPayloads } from './jobs.ts'
import { type ClaimedJob, claimJob, markDone, markFailed } from './queries.ts'

export type JobHandlers = {
  /** @param id stays the same when the job is tried again: a receiver can tell the repetition */
  readonly [K in JobKind]: (payload: JobPayloads[K], id: string) => Promise<void>
}

/** Longer than any handler may take, and short enough that a killed worker's job isn't late. */
const LEASE_SECONDS = 50
/** For jobs that were put off, and for notifications that got lost. */
const POLL_MS = 5_000
/** Seconds before the next try: a mail server that is down for a day loses nothing. */
const RETRY_SECONDS = [5, 30, 120, 600, 1800, 3600, ...Array<number>(30).fill(3600)]

export interface WorkerOptions {
  readonly db: Database
  readonly handlers: JobHandlers
  readonly log: FastifyBaseLogger
  /** Is told of each job that failed, and whether it was given up. */
  readonly onFailure?: (kind: JobKind, givenUp: boolean) => void
}

/** Does the jobs of the table, one after the other, as long as the server lives. */
export class JobWorker {
  readonly #options: WorkerOptions
  #running: Promise<void> = Promise.resolve()
  #awake = false
  #wokenAgain = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref()
    this.wake()
  }

  /** There may be something to do. Does nothing before the start. */
  wake(): void {
    if (this.#stopped || !this.#timer) return
    // Word may come between the last look and the end of this round.
    this.#wokenAgain = this.#awake
    if (this.#awake) return
    this.#awake = true
    this.#running = this.#workOff().finally(() => {
      this.#awake = false
      if (this.#wokenAgain) this.wake()
    })
  }

  /** Finishes the job at hand and takes no other. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #workOff(): Promise<void> {
    const { db, log } = this.#options
    try {
      let done: string | undefined
      while (!this.#stopped) {
        const job = await claimJob(db, LEASE_SECONDS, done)
        if (!job) return
        done = (await this.#do(job)) ? job.id : undefined
      }
      if (done) await markDone(db, done)
    } catch (error) {
      // The database is away; the next poll tries again.
      log.warn({ err: error }, 'jobs cannot be read')
    }
  }

  /** @returns whether it is done; if not, when it is tried again has been noted */
  async #do(job: ClaimedJob): Promise<boolean> {
    const { db, handlers, log, onFailure } = this.#options
    try {
      // What was enqueued for a kind is what its handler takes.
      await handlers[job.kind](job.payload as never, job.id)
      return true
    } catch (error) {
      const retryInSeconds = RETRY_SECONDS[job.attempts - 1]
      log.warn({ jobId: job.id, kind: job.kind, attempts: job.attempts, err: error }, 'job failed')
      onFailure?.(job.kind, retryInSeconds === undefined)
      await markFailed(db, job.id, { error: String(error).slice(0, 500), retryInSeconds })
      return false
    }
  }
}
