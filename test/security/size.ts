/**
 * Each test of this folder has a small form, which is part of `npm test`, and a long one whose figures stand in
 * docs/security.md: `npm run test:security`.
 */
export const isLong = process.env.SECURITY_TESTS === 'long'

export const times = ({ small, long }: { small: number; long: number }): number => (isLong ? long : small)

/** Milliseconds that a test may take; no measure of speed. */
export const PATIENCE = isLong ? 30 * 60 * 1000 : 60_000

/** A line below the test's name in the long form: what docs/security.md is written from. */
export function report(line: string): void {
  if (isLong) process.stdout.write(`  ${line}\n`)
}
