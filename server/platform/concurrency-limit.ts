import { FairQueue } from './fair-queue.ts'

/** Too much work is waiting. Try again later. */
export class QueueFull extends Error {
  override name = 'QueueFull'
}

/**
 * Runs at most `concurrency` tasks at once and queues at most `maxWaiting`, fairly by owner. p-limit has neither a bounded
 * queue nor owners.
 */
export class ConcurrencyLimit {
  readonly #concurrency: number
  readonly #waiting: FairQueue<PromiseWithResolvers<void>>
  #running = 0

  constructor({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
    this.#concurrency = concurrency
    this.#waiting = new FairQueue(maxWaiting)
  }

  /** Runs the task when its turn comes. Throws `QueueFull` when it loses its position in the queue. */
  async run<T>(task: () => Promise<T>, owner = ''): Promise<T> {
    await this.#acquire(owner)
    try {
      return await task()
    } finally {
      this.#release()
    }
  }

  async #acquire(owner: string): Promise<void> {
    if (this.#running < this.#concurrency) {
      this.#running += 1
      return
    }
    const turn = Promise.withResolvers<void>()
    this.#waiting.push(owner, turn)
    this.#waiting.removeExcess()?.reject(new QueueFull('Too much work is waiting'))
    await turn.promise
  }

  #release(): void {
    // The next task takes over this slot, so that no other can take it first.
    const next = this.#waiting.take()
    if (next) next.resolve()
    else this.#running -= 1
  }
}
