/**
 * Work that waits, first come first served for each owner, and in turns among owners: an owner with much work waits for
 * itself.
 */
export class FairQueue<T> {
  readonly #max: number
  /** In the order of their turns. */
  readonly #lines = new Map<string, T[]>()
  #length = 0

  /** @param max how much may wait */
  constructor(max: number) {
    this.#max = max
  }

  get length(): number {
    return this.#length
  }

  push(owner: string, work: T): void {
    this.#line(owner).push(work)
    this.#length += 1
  }

  /** When too much waits, removes the newest work of the owner with the most. Call it after each `push`. */
  removeExcess(): T | undefined {
    if (this.#length <= this.#max) return undefined
    const [longest] = [...this.#lines].sort(([, one], [, other]) => other.length - one.length)
    if (!longest) return undefined
    const [owner, line] = longest
    if (line.length === 1) this.#lines.delete(owner)
    this.#length -= 1
    return line.pop()
  }

  /** Puts work back that was taken; it is next, whatever the bound. */
  putBack(owner: string, work: T): void {
    const line = [work, ...(this.#lines.get(owner) ?? [])]
    const others = [...this.#lines].filter(([other]) => other !== owner)
    this.#lines.clear()
    this.#lines.set(owner, line)
    for (const [other, waiting] of others) this.#lines.set(other, waiting)
    this.#length += 1
  }

  /** What is next. */
  peek(): T | undefined {
    const [line] = this.#lines.values()
    return line?.[0]
  }

  /** Takes what is next; its owner has the last turn then. */
  take(): T | undefined {
    const [next] = this.#lines
    if (!next) return undefined
    const [owner, line] = next
    const work = line.shift()
    this.#lines.delete(owner)
    if (line.length > 0) this.#lines.set(owner, line)
    this.#length -= 1
    return work
  }

  /** Takes everything. */
  takeAll(): T[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#length = 0
    return all
  }

  #line(owner: string): T[] {
    const line = this.#lines.get(owner) ?? []
    this.#lines.set(owner, line)
    return line
  }
}
