import { Random } from '#test/random.ts'
import { times } from '../size.ts'

/** How many of something; SECURITY_COUNT sets the long form's number. */
export function sized(small: number, long: number): number {
  return times({ small, long: Number(process.env.SECURITY_COUNT ?? long) })
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
