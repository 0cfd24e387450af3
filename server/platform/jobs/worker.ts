import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#server/platform/database/pool.ts'
import { endSpan, type Step, startTrace, trace } from '#server/platform/trace.ts'
import {
  type DueJob,
  type JobKind,
  type JobPayloads,
  type Lane,
  leaseJob,
  markDone,
  markFailed,
} from './jobs.ts'

export type JobHandlers = {
  /** @param id the same on every attempt, so that a receiver can detect duplicates */
  readonly [K in JobKind]: (payload: JobPayloads[K], id: string) => Promise<void>
}

/** Must be longer than any handler takes. After a crash the job waits this long. */
const LEASE_SECONDS = 50
/** Finds jobs that are due later, and jobs whose notification was lost. */
const POLL_MS = 5_000
/** Delays between attempts. Emails survive a day without a mail server. */
const RETRY_SECONDS = [5, 30, 120, 600, 1800, 3600, ...Array<number>(30).fill(3600)]

export interface WorkerOptions {
  readonly db: Database
  readonly handlers: JobHandlers
  readonly log: FastifyBaseLogger
  /** Default: all jobs. */
  readonly lane?: Lane
  /** Delays between attempts. */
  readonly retrySeconds?: readonly number[]
  /** Called for each failed attempt. */
  readonly onFailure?: (kind: JobKind, givenUp: boolean) => void
}

/** Runs jobs, one after another. */
export class JobWorker {
  readonly #options: WorkerOptions
  #awake = Promise.withResolvers<void>()
  #running: Promise<void> | undefined
  #stopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  get lane(): Lane | undefined {
    return this.#options.lane
  }

  start(): void {
    this.#running ??= this.#work()
  }

  /** Looks for due jobs, at once or after the current one. */
  wake(): void {
    this.#awake.resolve()
  }

  /** Finishes the current job and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.wake()
    await this.#running
  }

  async #work(): Promise<void> {
    const polling = setInterval(() => this.wake(), POLL_MS).unref()
    while (!this.#stopped) {
      // Before the query, so that a notification during it is not lost.
      this.#awake = Promise.withResolvers()
      await this.#runDueJobs()
      if (!this.#stopped) await this.#awake.promise
    }
    clearInterval(polling)
  }

  async #runDueJobs(): Promise<void> {
    const { db, log, lane } = this.#options
    try {
      let finished: string | null = null
      while (!this.#stopped) {
        const job: DueJob | undefined = await leaseJob(db, LEASE_SECONDS, finished, lane)
        if (!job) return
        finished = (await this.#attempt(job)) ? job.id : null
      }
      if (finished) await markDone(db, finished)
    } catch (error) {
      log.warn({ err: error }, 'cannot read the jobs; the next poll tries again')
    }
  }

  /** Returns whether the job is done. If not, its next attempt is scheduled. */
  #attempt(job: DueJob): Promise<boolean> {
    const { id, kind, attempts, requestId, traceparent } = job
    const step = (): Step => ({
      name: `job ${kind}`,
      kind: 'consumer',
      attributes: { 'unspent.job.id': id, 'unspent.job.attempts': attempts },
    })
    const started = startTrace(requestId, step, traceparent)
    return trace.run(started, () => this.#run(job))
  }

  async #run(job: DueJob): Promise<boolean> {
    const { db, handlers, log, onFailure, retrySeconds = RETRY_SECONDS } = this.#options
    const about = { jobId: job.id, kind: job.kind, attempts: job.attempts }
    const started = performance.now()
    try {
      // `enqueue` has checked the payload's type.
      await endSpan(trace.getStore()?.span, handlers[job.kind](job.payload as never, job.id))
      log.info({ ...about, ms: Math.round(performance.now() - started) }, 'job done')
      return true
    } catch (error) {
      const retryInSeconds = retrySeconds[job.attempts - 1]
      log.warn({ ...about, err: error }, 'job failed')
      onFailure?.(job.kind, retryInSeconds === undefined)
      await markFailed(db, job.id, { error: String(error).slice(0, 500), retryInSeconds })
      return false
    }
  }
}
