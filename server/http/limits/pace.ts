/** Clients that are remembered. The one that called the longest ago is forgotten first. */
const MAX_CLIENTS = 10_000

export interface PaceOptions {
  /** Requests that a client may send at once after a pause. */
  readonly burst: number
  /** How fast it may continue after that. */
  readonly perSecond: number
}

/** Spreads the requests of each client over time: a generic cell rate algorithm (ITU-T I.371) that says how long to wait. */
export class Pace {
  readonly #intervalMs: number
  readonly #burstMs: number
  /** When each client may send a whole burst again. */
  readonly #restedAt = new Map<string, number>()

  constructor({ burst, perSecond }: PaceOptions) {
    this.#intervalMs = 1000 / perSecond
    this.#burstMs = (burst - 1) * this.#intervalMs
  }

  /** Counts a request. Returns how many ms it has to wait, or undefined without counting it if that exceeds `maxMs`. */
  take(client: string, maxMs: number): number | undefined {
    const now = performance.now()
    const restedAt = Math.max(now, this.#restedAt.get(client) ?? 0)
    const waitMs = Math.max(0, restedAt - now - this.#burstMs)
    if (waitMs > maxMs) return undefined
    this.#restedAt.delete(client)
    this.#restedAt.set(client, restedAt + this.#intervalMs)
    const [oldest] = this.#restedAt.keys()
    if (this.#restedAt.size > MAX_CLIENTS && oldest !== undefined) this.#restedAt.delete(oldest)
    return waitMs
  }
}
