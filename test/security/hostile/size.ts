import { Random } from '#test/random.ts'
import { times } from '../size.ts'

/** A count for the small or the long form. SECURITY_COUNT overrides the long one. */
export function sized(small: number, long: number): number {
  return times({ small, long: Number(process.env.SECURITY_COUNT ?? long) })
}

/** Prints its seed, so a run can be repeated with SECURITY_SEED=… */
export function seeded(name: string): Random {
  const seed = Number(process.env.SECURITY_SEED ?? Math.floor(Math.random() * 2 ** 31))
  process.stdout.write(`${name}: SECURITY_SEED=${seed}\n`)
  return new Random(seed)
}

/** Prints a figure for docs/security.md. */
export function figure(text: string): void {
  process.stdout.write(`figure: ${text}\n`)
}
