import type { Cast } from '../cast.ts'

/** Something somebody does, at a moment in milliseconds. */
export interface Deed {
  readonly at: number
  readonly run: (cast: Cast) => Promise<void>
}

export const MINUTE_MS = 60 * 1000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
