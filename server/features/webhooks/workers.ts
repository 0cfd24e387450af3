import { eq } from 'drizzle-orm'
import { webhookEndpoints } from '#server/platform/database/schema.ts'
import { JobWorker, type WorkerOptions } from '#server/platform/jobs/worker.ts'

const HOUR = 3600
/** Three days in all. */
export const RETRY_SECONDS = [
  ...[5, 300, 1800],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 20 * HOUR],
]

/** One worker for each endpoint that is not paused, so that a slow endpoint holds up no other. */
export class WebhookWorkers {
  readonly #options: WorkerOptions
  readonly #workers = new Map<string, JobWorker>()
  #refreshing: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Starts and stops workers as endpoints come and go. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.then(() => this.#adjust())
    return this.#refreshing
  }

  wake(): void {
    for (const worker of this.#workers.values()) worker.wake()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#refreshing
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()))
  }

  async #adjust(): Promise<void> {
    if (this.#stopped) return
    const { db, log } = this.#options
    try {
      const active = await db
        .select({ id: webhookEndpoints.id })
        .from(webhookEndpoints)
        .where(eq(webhookEndpoints.paused, false))
      const ids = new Set(active.map(({ id }) => id))
      for (const [id, worker] of this.#workers) {
        if (ids.has(id)) continue
        this.#workers.delete(id)
        // Not awaited: it may be in the middle of a slow request.
        void worker.stop()
      }
      for (const id of ids) {
        if (this.#workers.has(id)) continue
        const worker = new JobWorker({ ...this.#options, lane: `webhook ${id}`, retrySeconds: RETRY_SECONDS })
        this.#workers.set(id, worker)
        worker.start()
      }
    } catch (err) {
      log.warn({ err }, 'cannot read the webhooks; it tries again when one changes')
    }
  }
}
