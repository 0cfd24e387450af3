/** Counts what each client has in flight in this process: connections, calls or unread bytes. */
export class InFlight {
  readonly #max: number
  readonly #taken = new Map<string, number>()

  /** @param max per client; a client with nothing in flight may exceed it once */
  constructor(max: number) {
    this.#max = max
  }

  /** Returns false and takes nothing if the client would exceed its maximum. */
  take(client: string, amount = 1): boolean {
    const taken = this.#taken.get(client) ?? 0
    if (taken > 0 && taken + amount > this.#max) return false
    this.#taken.set(client, taken + amount)
    return true
  }

  give(client: string, amount = 1): void {
    const left = (this.#taken.get(client) ?? 0) - amount
    if (left > 0) this.#taken.set(client, left)
    else this.#taken.delete(client)
  }
}
