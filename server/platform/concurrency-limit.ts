import { FairQueue } from './fair-queue.ts'

/** There is no place left to wait; come back later. */
export class GateFull extends Error {
  override name = 'GateFull'
}

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: GateFull) => void
}

/** Runs `atOnce` pieces of work at once, lets `waiting` wait in turns by owner, and turns the rest away. */
export class Gate {
  readonly #atOnce: number
  readonly #waiting: FairQueue<Waiting>
  #running = 0

  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#atOnce = atOnce
    this.#waiting = new FairQueue(waiting)
  }

  /** Runs the work when its turn comes. Throws `GateFull` when too much waits, of its owner or of everybody. */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    await this.#enter(owner)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(owner: string): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1
      return
    }
    // A place is handed on, so that nobody can slip in between.
    await new Promise<void>((begin, refuse) => {
      this.#waiting.push(owner, { begin, refuse })
      this.#waiting.removeExcess()?.refuse(new GateFull('Too much work is waiting'))
    })
  }

  #leave(): void {
    const next = this.#waiting.take()
    if (next) next.begin()
    else this.#running -= 1
  }
}
