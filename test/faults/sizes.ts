import type { Random } from '../random.ts'

/** How much is tried: a little in `npm test`, all of it with FAULTS_SIZE=large (`npm run test:faults -- large`). */
const large = process.env.FAULTS_SIZE === 'large'

/** What the random choices of a run come from; printed, and set by FAULTS_SEED to repeat a run. */
export const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e9))

export const sizes = large
  ? {
      kills: 100,
      raceRounds: 1000,
      settleRounds: 1000,
      submitRounds: 100,
      nodeKills: 100,
      submissionPoints: 5,
      statements: 40,
      upgradeKills: 100,
      sockets: 200,
      backupAcknowledgements: 1000,
    }
  : {
      kills: 1,
      raceRounds: 20,
      settleRounds: 10,
      submitRounds: 2,
      nodeKills: 1,
      submissionPoints: 3,
      statements: 0,
      upgradeKills: 3,
      sockets: 40,
      backupAcknowledgements: 20,
    }

/** Milliseconds of a test of so many rounds, far above what they take: it only ends what hangs. */
export const patience = (rounds: number): number => 120_000 + rounds * (large ? 120_000 : 30_000)

export function oneOf<T>(choices: readonly T[], chance: Random): T | undefined {
  return choices.length > 0 ? chance.pick(choices) : undefined
}

/** Says something in the report of the tests. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
