import { Random } from './random.ts'

/** `npm test` breaks in a little; `npm run test:security` tries for long. */
export const large = process.env.SECURITY_TESTS === 'long' || process.env.SECURITY_SIZE === 'large'

/** How many of something: small, or large; SECURITY_COUNT sets the large number. */
export function sized(small: number, whenLarge: number): number {
  return large ? Number(process.env.SECURITY_COUNT ?? whenLarge) : small
}

/** Said, so that a run that found something can be repeated: SECURITY_SEED=… */
export function seeded(name: string): Random {
  const seed = Number(process.env.SECURITY_SEED ?? Math.floor(Math.random() * 2 ** 31))
  process.stdout.write(`${name}: SECURITY_SEED=${seed}\n`)
  return new Random(seed)
}

/** A figure for docs/security.md. */
export function figure(text: string): void {
  process.stdout.write(`figure: ${text}\n`)
}
