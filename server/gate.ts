/** There is no room to wait; come back later. */
export class GateFull extends Error {
  override name = 'GateFull'
}

/** Lets so many pieces of work run at once, lets so many wait, and turns the rest away. */
export class Gate {
  readonly #atOnce: number
  readonly #room: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#atOnce = atOnce
    this.#room = waiting
  }

  /** Runs the work when its turn comes. Throws `GateFull` at once when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.#room) throw new GateFull('Too much work is waiting')
    // Whoever leaves hands its place on, so nobody can slip in between.
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}
