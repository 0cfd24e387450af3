import { v7 as uuidv7 } from 'uuid'
import type { Random } from '#test/random.ts'

export const DAY_MS = 24 * 3600 * 1000

/** The time span of generated data. */
export interface Timeline {
  readonly from: number
  readonly until: number
}

/** @param until the end of the last day, in milliseconds */
export function twoYears(until: number): Timeline {
  return { from: until - 730 * DAY_MS, until }
}

/** The time of one of `count` events in milliseconds: a random time in its slot of the timeline. */
export function timeOf({ from, until }: Timeline, index: number, count: number, random: Random): number {
  return Math.floor(from + ((index + random.number()) / count) * (until - from))
}

/** A UUID of that time. */
export function idAt(at: number, random: Random): string {
  return uuidv7({ msecs: at, random: random.bytes(16) })
}
