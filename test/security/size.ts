/**
 * Each test of this folder has a small form, which is part of `npm test`, and a long one whose figures stand in
 * docs/security.md: `npm run test:security`.
 */
export const isLong = process.env.SECURITY_TESTS === 'long'

export const times = ({ small, long }: { small: number; long: number }): number => (isLong ? long : small)

/** Milliseconds that a test may take; no measure of speed. */
export const PATIENCE = isLong ? 30 * 60 * 1000 : 60_000

/** Numbers from 0 up to 1, the same in every run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A line below the test's name in the long form: what docs/security.md is written from. */
export function report(line: string): void {
  if (isLong) process.stdout.write(`  ${line}\n`)
}
