/** Random numbers that are the same for the same seed on every machine (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below 1. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.number() * end)
  }

  /** A whole number from `low` to `high`, inclusive. */
  integer(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  chance(share: number): boolean {
    return this.number() < share
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)]
    if (choice === undefined) throw new Error('There are no choices')
    return choice
  }

  /** One of the choices, with probabilities by weight. */
  weighted<T>(choices: readonly (readonly [choice: T, weight: number])[]): T {
    let rest = this.number() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [choice, weight] of choices) {
      rest -= weight
      if (rest < 0) return choice
    }
    return this.pick(choices)[0]
  }

  digits(count: number): string {
    let text = ''
    while (text.length < count) text += this.integer(0, 9)
    return text
  }

  hex(count: number): string {
    return Array.from({ length: count }, () => this.below(16).toString(16)).join('')
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.integer(0, 255))
  }
}
