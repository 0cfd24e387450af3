import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import { createAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { saveConnector } from '#server/features/balance-connectors/actions.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { Catalog } from '#server/features/brands/catalog.ts'
import type { Staff } from '#server/http/actor.ts'
import { administrators, installation } from '#server/platform/database/schema.ts'
import { createTestApp } from '#test/app.ts'
import { payingPolicy } from '#test/automatic-payouts.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { PaypalEmulator } from '#test/paypal.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Random } from '#test/random.ts'
import { BalanceService, InstantSequence, type World } from './instant-sequence.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

/** Sequences in one database, whose books are proved after each. */
const IN_ONE_DATABASE = 100
const MAX_STEPS = 16

it(
  `${sizes.instantSequences} random sequences of automatic payments pay nobody twice, lose nothing and keep the limits`,
  async () => {
    report(`automatic payments: FAULTS_SEED=${seed}`)
    const { world, original } = await createWorld()
    const started = performance.now()
    const sum = { steps: 0, kills: 0 }
    const outcomes: Record<string, number> = {}
    for (let index = 0; index < sizes.instantSequences; index++) {
      if (index % IN_ONE_DATABASE === 0) await moveTo(world, await createTestDatabase(original.name))
      const chance = new Random(seed + index)
      const sequence = new InstantSequence(world, chance)
      try {
        await sequence.begin()
        await sequence.run(chance.integer(4, MAX_STEPS))
        await sequence.finish()
        expect((await verifyLedger(world.context.db)).problems).toEqual([])
      } catch (cause) {
        throw new Error(`FAULTS_SEED=${seed + index}, after ${sequence.steps.join(', ')}`, { cause })
      }
      sum.steps += sequence.steps.length
      sum.kills += sequence.kills
      for (const outcome of await sequence.outcomes()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if ((index + 1) % 500 === 0) report(`${index + 1} sequences`)
    }
    const seconds = Math.round((performance.now() - started) / 1000)
    report(`${sizes.instantSequences} sequences: ${sum.steps} steps, ${sum.kills} kills, ${seconds} s`)
    report(`automatic payments: ${JSON.stringify(outcomes)}`)
  },
  timeoutFor(sizes.instantSequences / 100),
)

/** A database with staff, a policy that pays at once and a balance service, for copies of it. */
async function createWorld(): Promise<{ world: World; original: TestDatabase }> {
  const { context: base } = await createTestApp()
  const original = await createTestDatabase()
  const { db } = original
  await db.insert(installation).values({ id: uuidv7(), database: original.name })
  const tools = { db, passwords: new Passwords({ memoryCost: 64, timeCost: 1 }) }
  for (const username of ['ana', 'ben']) {
    await createAdministrator(tools, username, { password: ADMIN_PASSWORD, role: 'owner' })
  }
  const found = await db.select().from(administrators)
  const [one, other] = found.map(({ id, username, role }): Staff => {
    return { kind: 'staff', id, username, role, needsSecondFactor: false, sid: '' }
  })
  if (!one || !other) throw new Error('There is no staff')
  const [emulator, service] = await Promise.all([PaypalEmulator.start(), BalanceService.start()])
  const settings = { limits: {}, alwaysTwoPersons: false }
  const payouts = Object.assign(settings, {
    manual: true,
    netReceivables: false,
    nacha: base.site.payouts.nacha,
  })
  const context = {
    ...base,
    db,
    catalog: new Catalog(db),
    site: { ...base.site, webhooksAllowPrivate: true, payouts },
    payoutProvider: emulator.provider(),
  }
  await saveConnector(context, one, 'amazon', { url: service.url, paused: false })
  const policyId = await payingPolicy(original)
  // A sample is drawn by chance, so that a seed would not repeat a run.
  await original.pool.query('alter table policies drop constraint policies_sample_percent_check')
  await original.pool.query('alter table policies disable trigger policies_append_only')
  await original.pool.query(
    'update policies set sample_percent = 0, seller_limit = 1000000000, shop_limit = 1000000000',
  )
  await original.pool.end()
  const world = {
    context,
    databaseUrl: original.url,
    emulator,
    service,
    staff: [one, other] as const,
    settings,
    policyId,
  }
  return { world, original }
}

async function moveTo(world: World, { db, url }: TestDatabase): Promise<void> {
  const left = world.context.db
  world.context = { ...world.context, db, catalog: new Catalog(db) }
  world.databaseUrl = url
  if (!left.$client.ended) await left.$client.end()
  await db.execute(sql`select 1`)
}
