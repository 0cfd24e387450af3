/**
 * Each test in this folder has a small form for `npm test`, and a long one for `npm run test:security`, whose figures are in
 * docs/security.md.
 */
export const isLong = process.env.SECURITY_TESTS === 'long'

export const times = ({ small, long }: { small: number; long: number }): number => (isLong ? long : small)

/** Timeout of a test in ms. Not a measure of speed. */
export const PATIENCE = isLong ? 30 * 60 * 1000 : 240_000

/** Prints a figure for docs/security.md in the long form. */
export function report(line: string): void {
  if (isLong) process.stdout.write(`  ${line}\n`)
}
