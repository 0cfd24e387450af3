/**
 * A queue that is fair among owners: the owner who has used the least goes next, and each owner's work runs in order. An owner
 * with a lot of work, or slow work, delays only itself.
 */
export class FairQueue<T> {
  readonly #max: number
  readonly #lines = new Map<string, T[]>()
  /** What each owner has used, starting from the level at which they came. */
  readonly #used = new Map<string, number>()
  /** What the owner of the last turn had used. */
  #level = 0

  /** @param max how much may wait */
  constructor(max: number) {
    this.#max = max
  }

  get length(): number {
    let length = 0
    for (const line of this.#lines.values()) length += line.length
    return length
  }

  push(owner: string, work: T): void {
    this.#line(owner).push(work)
  }

  /** Puts work that was taken back at the head of its owner's line. */
  putBack(owner: string, work: T): void {
    this.#line(owner).unshift(work)
  }

  /** Removes work, if it still waits. */
  remove(owner: string, work: T): void {
    const line = this.#lines.get(owner) ?? []
    const left = line.filter((other) => other !== work)
    if (left.length > 0) this.#lines.set(owner, left)
    else this.#lines.delete(owner)
  }

  /** When too much waits, removes the newest work of the owner with the most. Call it after each `push`. */
  removeExcess(): T | undefined {
    if (this.length <= this.#max) return undefined
    const [longest] = [...this.#lines].sort(([, one], [, other]) => other.length - one.length)
    if (!longest) return undefined
    const [owner, line] = longest
    if (line.length === 1) this.#lines.delete(owner)
    return line.pop()
  }

  /** What is next. */
  peek(): T | undefined {
    return this.#next()?.line[0]
  }

  /** Takes what is next, which counts as 1 for its owner. */
  take(): T | undefined {
    const next = this.#next()
    if (!next) return undefined
    const { owner, line, used } = next
    const work = line.shift()
    if (line.length === 0) this.#lines.delete(owner)
    this.#level = used
    this.charge(owner, 1)
    return work
  }

  /** Takes everything. */
  takeAll(): T[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    return all
  }

  /** Counts what work took that was dearer than other work. */
  charge(owner: string, amount: number): void {
    this.#used.set(owner, (this.#used.get(owner) ?? this.#level) + amount)
  }

  #line(owner: string): T[] {
    const known = this.#lines.get(owner)
    if (known) return known
    // Nobody waits: what was used before is forgotten.
    if (this.#lines.size === 0) this.#used.clear()
    this.#used.set(owner, Math.max(this.#used.get(owner) ?? 0, this.#level))
    const line: T[] = []
    this.#lines.set(owner, line)
    return line
  }

  #next() {
    let next: { owner: string; line: T[]; used: number } | undefined
    for (const [owner, line] of this.#lines) {
      const used = this.#used.get(owner) ?? this.#level
      if (!next || used < next.used) next = { owner, line, used }
    }
    return next
  }
}
