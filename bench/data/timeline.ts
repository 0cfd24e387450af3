import { v7 as uuidv7 } from 'uuid'
import type { Random } from '#test/random.ts'

const DAY_MS = 24 * 3600 * 1000

/** The two years that generated data tell of. */
export interface Timeline {
  readonly from: number
  readonly until: number
}

/** @param until the day after the last one, in milliseconds */
export function twoYears(until: number): Timeline {
  return { from: until - 730 * DAY_MS, until }
}

/** The moment of one of `count` events in a row, in milliseconds: each somewhere in a slot of its own. */
export function momentOf({ from, until }: Timeline, index: number, count: number, random: Random): number {
  return Math.floor(from + ((index + random.number()) / count) * (until - from))
}

/** An id as the product makes them at that moment. */
export function idAt(at: number, random: Random): string {
  return uuidv7({ msecs: at, random: random.bytes(16) })
}
