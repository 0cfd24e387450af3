import type { Random } from '../random.ts'

/** Small numbers in `npm test`, large ones in `npm run test:faults -- large`. */
const large = process.env.FAULTS_SIZE === 'large'

/** Seed of all random choices. It is printed; FAULTS_SEED repeats a run. */
export const seed = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e9))

export const sizes = large
  ? {
      kills: 100,
      raceRounds: 1000,
      settleRounds: 1000,
      submitRounds: 100,
      offerRounds: 1000,
      nodeKills: 100,
      submissionPoints: 5,
      statements: 40,
      upgradeKills: 100,
      oldTrees: 100,
      oldRows: 1000,
      oldCards: 80,
      moneySequences: 10_000,
      instantSequences: 10_000,
      instantKills: 200,
      payoutKills: 25,
      sockets: 200,
      backupAcknowledgements: 1000,
    }
  : {
      kills: 1,
      raceRounds: 20,
      settleRounds: 10,
      submitRounds: 2,
      offerRounds: 50,
      nodeKills: 1,
      submissionPoints: 3,
      statements: 0,
      upgradeKills: 3,
      oldTrees: 2,
      oldRows: 100,
      oldCards: 4,
      moneySequences: 160,
      instantSequences: 20,
      instantKills: 1,
      payoutKills: 1,
      sockets: 40,
      backupAcknowledgements: 20,
    }

/** Timeout of a test in milliseconds. Far more than the rounds take, so it only ends a test that hangs. */
export const timeoutFor = (rounds: number): number => 120_000 + rounds * (large ? 120_000 : 30_000)

export function oneOf<T>(choices: readonly T[], chance: Random): T | undefined {
  return choices.length > 0 ? chance.pick(choices) : undefined
}

/** Prints a line into the test report. */
export function report(line: string): void {
  process.stdout.write(`${line}\n`)
}
