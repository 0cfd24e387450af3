/** How much each client has in flight in this process: connections, calls, or bytes that it has not read. */
export class InFlight {
  readonly #max: number
  readonly #taken = new Map<string, number>()

  /** @param max for each client; a client that has nothing in flight gets whatever it asks for */
  constructor(max: number) {
    this.#max = max
  }

  /** Returns false, and takes nothing, when the client would have more than its share. */
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
