interface Entry<T> {
  readonly owner: string
  readonly work: T
}

/**
 * A queue that is fair among owners: the owner who has used the least is next, and work of one owner runs in order. An owner
 * with a lot of work, or slow work, delays only itself.
 */
export class FairQueue<T> {
  readonly #max: number
  #waiting: Entry<T>[] = []
  /** What each owner has used. A new owner starts at the level of the owner served last. */
  readonly #used = new Map<string, number>()
  #level = 0

  /** @param max how many may wait */
  constructor(max: number) {
    this.#max = max
  }

  get length(): number {
    return this.#waiting.length
  }

  push(owner: string, work: T): void {
    this.#countFromLevel(owner)
    this.#waiting.push({ owner, work })
  }

  /** Returns interrupted work to the head of its owner's work. */
  putBack(owner: string, work: T): void {
    this.#countFromLevel(owner)
    this.#waiting.unshift({ owner, work })
  }

  remove(work: T): void {
    this.#waiting = this.#waiting.filter((entry) => entry.work !== work)
  }

  /** If too many wait, removes and returns the newest work of the owner with the most. Call it after each `push`. */
  removeExcess(): T | undefined {
    if (this.length <= this.#max) return undefined
    const byOwner = Map.groupBy(this.#waiting, ({ owner }) => owner)
    const most = Math.max(...Array.from(byOwner.values(), ({ length }) => length))
    const excess = this.#waiting.findLast(({ owner }) => byOwner.get(owner)?.length === most)
    if (excess) this.remove(excess.work)
    return excess?.work
  }

  peek(): T | undefined {
    return this.#next()?.work
  }

  /** Removes and returns the next work. Charges its owner 1. */
  take(): T | undefined {
    const next = this.#next()
    if (!next) return undefined
    this.remove(next.work)
    this.#level = this.#usedBy(next.owner)
    this.charge(next.owner, 1)
    return next.work
  }

  takeAll(): T[] {
    return this.#waiting.splice(0).map(({ work }) => work)
  }

  /** Adds to what an owner has used, for work that cost more than other work. */
  charge(owner: string, amount: number): void {
    this.#used.set(owner, this.#usedBy(owner) + amount)
  }

  #usedBy(owner: string): number {
    return this.#used.get(owner) ?? this.#level
  }

  #countFromLevel(owner: string): void {
    if (this.#waiting.some((entry) => entry.owner === owner)) return
    // Forgets everything while the queue is empty, so that the map does not grow forever.
    if (this.length === 0) this.#used.clear()
    this.#used.set(owner, Math.max(this.#used.get(owner) ?? 0, this.#level))
  }

  #next(): Entry<T> | undefined {
    let next: Entry<T> | undefined
    for (const entry of this.#waiting) {
      if (!next || this.#usedBy(entry.owner) < this.#usedBy(next.owner)) next = entry
    }
    return next
  }
}
