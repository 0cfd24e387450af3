import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, it } from 'vitest'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import { createAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { createBatch } from '#server/features/payouts/batches.ts'
import { paypalIdOf } from '#server/features/payouts/files/paypal.ts'
import { resumePayouts, stopPayouts } from '#server/features/payouts/payout-stop.ts'
import { importResults } from '#server/features/payouts/returns/import.ts'
import { clearSubmissions } from '#server/features/submissions/desk/clear.ts'
import type { Staff } from '#server/http/actor.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { administrators, installation } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Random } from '#test/random.ts'
import { type Crew, MoneySequence } from './money-sequence.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'
import { unexplained } from './unexplained.ts'

/** Sequences that run at the same time, each with its own seller. */
const AT_ONCE = 4
/** Sequences between two proofs. */
const ROUND = 20
/** Steps before and after the point where everything may be cleared. */
const STEPS = 8
const CLEARED_SHARE = 0.3
/** A backup is restored in each of these rounds. */
const RESTORED_EVERY = 4

let crew: Crew
let database: TestDatabase
beforeAll(async () => {
  const { context } = await createTestApp()
  database = await createTestDatabase()
  await database.db.insert(installation).values({ id: uuidv7(), database: database.name })
  const tools = { db: database.db, passwords: new Passwords() }
  for (const username of ['ana', 'ben']) {
    await createAdministrator(tools, username, { password: ADMIN_PASSWORD, role: 'owner' })
  }
  const found = await database.db.select().from(administrators)
  const staff = found.map(
    ({ id, username, role }): Staff => ({
      ...{ kind: 'staff', id, username, role },
      ...{ needsSecondFactor: false, sid: '' },
    }),
  )
  crew = { context: { ...context, db: database.db }, staff }
})

it(
  `the books agree after every ${ROUND} of ${sizes.moneySequences} random sequences, and the audit log explains every state`,
  async () => {
    report(`sequences of payouts: FAULTS_SEED=${seed}`)
    const chance = new Random(seed)
    const sum = { accepted: 0, refused: 0, restores: 0 }
    for (let first = 0; first < sizes.moneySequences; first += ROUND) {
      const since = uuidv7()
      const sequences = Array.from(
        { length: ROUND },
        (_, index) => new MoneySequence(crew, new Random(seed + first + index)),
      )
      await each(sequences, (sequence) => sequence.begin())
      await each(sequences, (sequence) => sequence.run(STEPS))
      if (first % (ROUND * RESTORED_EVERY) === 0) {
        await restoreAfter(() => each(sequences, (sequence) => sequence.run(STEPS)), sequences)
        sum.restores += 1
      }
      if (chance.chance(CLEARED_SHARE)) await clearSubmissions(crew.context, chance.pick(crew.staff))
      await each(sequences, (sequence) => sequence.run(STEPS))
      expect((await verifyLedger(crew.context.db)).problems).toEqual([])
      expect(await unexplained(crew.context.db, since)).toEqual([])
      for (const { accepted, refused } of sequences) {
        sum.accepted += accepted
        sum.refused += refused
      }
      if ((first + ROUND) % 1000 === 0) report(`${first + ROUND} sequences: the books agree`)
    }
    report(
      `${sizes.moneySequences} sequences: ${sum.accepted} steps, ${sum.refused} more were refused, ${sum.restores} restores`,
    )
  },
  timeoutFor(sizes.moneySequences / 100),
)

/**
 * Takes a backup, does the work, and restores the backup: the work is lost, but not the money that left. Then the staff record
 * what the statements say.
 */
async function restoreAfter(work: () => Promise<void>, sequences: readonly MoneySequence[]): Promise<void> {
  const backup = database
  await backup.pool.end()
  database = await createTestDatabase(backup.name)
  crew.context = { ...crew.context, db: database.db }
  const last = await lastPayout()
  await work()
  const lost = await crew.context.db.execute<{ number: string }>(
    sql`select number from payouts where number > ${last} and sent_at is not null`,
  )
  await database.pool.end()

  const pool = createPool({ connection: backup.url, max: 10, onError: () => undefined })
  database = { ...backup, pool, db: createDatabase(pool) }
  crew.context = { ...crew.context, db: database.db }
  const [ana, ben] = crew.staff
  if (!ana || !ben) throw new Error('There is no staff')
  await transaction(database.db, (tx) => stopPayouts(tx, new Date()))
  await expect(createBatch(crew.context, ana, { paymentType: ['paypal'] })).rejects.toMatchObject({
    code: 'payouts_stopped',
  })
  await each(sequences, (sequence) => sequence.reconcile())
  const rows = lost.rows.map(({ number }) => `${paypalIdOf(Number(number))},Returned`)
  if (rows.length > 0) {
    const late = await importResults(crew.context, ben, ['Unique ID,Status', ...rows].join('\n'))
    expect(late).toMatchObject({ matched: 0, already: 0 })
  }
  expect(await transaction(database.db, resumePayouts)).toBe(true)
}

async function lastPayout(): Promise<number> {
  const { rows } = await crew.context.db.execute<{ last: string }>(
    sql`select coalesce(max(number), 0) as last from payouts`,
  )
  return Number(rows[0]?.last)
}

/** Runs `work` for a few sequences at a time, and checks each. A failure names its steps. */
async function each(
  sequences: readonly MoneySequence[],
  work: (sequence: MoneySequence) => Promise<void>,
): Promise<void> {
  const waiting = [...sequences]
  const lane = async () => {
    for (let sequence = waiting.shift(); sequence; sequence = waiting.shift()) {
      try {
        await work(sequence)
        await sequence.check()
      } catch (cause) {
        throw new Error(`After ${sequence.steps.join(', ')}`, { cause })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
