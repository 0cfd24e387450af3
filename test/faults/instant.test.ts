import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, it } from 'vitest'
import { createAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { saveConnector } from '#server/features/balance-connectors/actions.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import type { Staff } from '#server/http/actor.ts'
import { administrators, installation } from '#server/platform/database/schema.ts'
import { createTestApp } from '#test/app.ts'
import { payingPolicy } from '#test/automatic-payouts.ts'
import { testBank } from '#test/nacha/bank.ts'
import { PaypalEmulator } from '#test/paypal.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Random } from '#test/random.ts'
import { BalanceService, InstantSequence, type World } from './instant-sequence.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

/** Sequences in one shop. */
const IN_ONE_SHOP = 100
/** Sequences between two proofs of all books. */
const PROVED_EVERY = 10
const MAX_STEPS = 16

const firsts = Array.from(
  { length: Math.ceil(sizes.instantSequences / IN_ONE_SHOP) },
  (_, shop) => shop * IN_ONE_SHOP,
)
const sum = { sequences: 0, steps: 0, kills: 0, webhooks: 0 }
const outcomes: Record<string, number> = {}
const started = performance.now()

report(`automatic payments: FAULTS_SEED=${seed}`)
afterAll(() => report(`automatic payments: ${JSON.stringify(outcomes)}`))

it.each(firsts)(
  'random sequences of automatic payments pay nobody twice, lose nothing and keep the limits, from number %i',
  async (first) => {
    const world = await createWorld()
    const last = Math.min(first + IN_ONE_SHOP, sizes.instantSequences) - 1
    for (let index = first; index <= last; index++) {
      const chance = new Random(seed + index)
      const sequence = new InstantSequence(world, chance)
      world.emulator.batches.length = 0
      world.emulator.outcomes.clear()
      try {
        await sequence.begin()
        await sequence.run(chance.integer(4, MAX_STEPS))
        await sequence.finish()
        if (index % PROVED_EVERY === 0 || index === last) await proveBooks(world)
      } catch (cause) {
        throw new Error(`FAULTS_SEED=${seed + index}, after ${sequence.steps.join(', ')}`, { cause })
      }
      sum.sequences += 1
      sum.steps += sequence.steps.length
      sum.kills += sequence.kills
      sum.webhooks += sequence.webhooks
      for (const outcome of sequence.outcomes()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    const { sequences, steps, kills, webhooks } = sum
    const seconds = Math.round((performance.now() - started) / 1000)
    report(`${sequences} sequences: ${steps} steps, ${kills} kills, ${webhooks} webhooks, ${seconds} s`)
  },
  timeoutFor(IN_ONE_SHOP / 10),
)

async function proveBooks({ context: { db } }: World): Promise<void> {
  expect((await verifyLedger(db)).problems).toEqual([])
}

/** A shop with two people, a policy that pays at once, PayPal and a balance service. */
async function createWorld(): Promise<World> {
  const [emulator, service] = await Promise.all([PaypalEmulator.start(), BalanceService.start()])
  const settings = { limits: {}, alwaysTwoPersons: false }
  const payouts = Object.assign(settings, { manual: true, netReceivables: false, nacha: testBank })
  const server = await createTestApp({
    payoutProvider: emulator.provider(),
    site: { webhooksAllowPrivate: true, payouts },
  })
  const { context, db, pool } = server
  await db.insert(installation).values({ id: uuidv7(), database: server.name })
  await createAdministrator(context, 'ben', { password: ADMIN_PASSWORD, role: 'owner' })
  const found = await db.select().from(administrators)
  const [one, other] = found.map(({ id, username, role }): Staff => {
    return { kind: 'staff', id, username, role, needsSecondFactor: false, sid: '' }
  })
  if (!one || !other) throw new Error('There is no staff')
  await saveConnector(context, one, 'amazon', { url: service.url, paused: false })
  const policyId = await payingPolicy(server)
  // A sample is drawn by chance, so that a seed would not repeat a run.
  await pool.query('alter table policies drop constraint policies_sample_percent_check')
  await pool.query('alter table policies disable trigger policies_append_only')
  await db.execute(
    sql`update policies set sample_percent = 0, seller_limit = 1000000000, shop_limit = 1000000000`,
  )
  return {
    context,
    databaseUrl: server.url,
    visitor: server.visitor(),
    emulator,
    service,
    staff: [one, other],
    settings,
    policyId,
  }
}
