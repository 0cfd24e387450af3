import { beforeAll, expect, it } from 'vitest'
import { verifyLedger } from '#server/features/books/verify.ts'
import { clearSubmissions } from '#server/features/submissions/desk/clear.ts'
import type { Staff } from '#server/http/actor.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { Random } from '#test/random.ts'
import { MoneySequence } from './money-sequence.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

/** Sequences that run at the same time, each with its own seller. */
const AT_ONCE = 4
/** Sequences between two proofs. */
const ROUND = 20
/** Steps before and after the point where everything may be cleared. */
const STEPS = 8
const CLEARED_SHARE = 0.3

let shop: TestApp
let staff: Staff[]
beforeAll(async () => {
  shop = await createTestApp()
  staff = []
  for (const name of ['ana', 'ben']) {
    const { id } = await shop.staff(name)
    staff.push({ kind: 'staff', id, username: name, role: 'owner', needsSecondFactor: false, sid: '' })
  }
})

it(
  `the books agree after every ${ROUND} of ${sizes.moneySequences} random sequences`,
  async () => {
    report(`sequences of payouts: FAULTS_SEED=${seed}`)
    const chance = new Random(seed)
    const sum = { accepted: 0, refused: 0 }
    for (let first = 0; first < sizes.moneySequences; first += ROUND) {
      const sequences = Array.from(
        { length: ROUND },
        (_, index) => new MoneySequence({ context: shop.context, staff }, new Random(seed + first + index)),
      )
      await each(sequences, (sequence) => sequence.begin())
      await each(sequences, (sequence) => sequence.run(STEPS))
      if (chance.chance(CLEARED_SHARE)) await clearSubmissions(shop.context, chance.pick(staff))
      await each(sequences, (sequence) => sequence.run(STEPS))
      expect((await verifyLedger(shop.db)).problems).toEqual([])
      for (const { accepted, refused } of sequences) {
        sum.accepted += accepted
        sum.refused += refused
      }
    }
    report(`${sizes.moneySequences} sequences: ${sum.accepted} steps, ${sum.refused} more were refused`)
  },
  timeoutFor(sizes.moneySequences / 500),
)

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
