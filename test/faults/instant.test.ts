import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, it } from 'vitest'
import { toDecimal } from '#domain/money.ts'
import { createAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { saveConnector } from '#server/features/balance-connectors/actions.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { Catalog } from '#server/features/brands/catalog.ts'
import type { Staff } from '#server/http/actor.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { administrators, installation } from '#server/platform/database/schema.ts'
import { parseKeys } from '#server/platform/vault/key-ring.ts'
import { afterwards } from '#test/afterwards.ts'
import { createTestApp } from '#test/app.ts'
import { payingPolicy } from '#test/automatic-payouts.ts'
import { testBank } from '#test/nacha/bank.ts'
import { PaypalEmulator } from '#test/paypal.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Person } from '#test/person.ts'
import { Random } from '#test/random.ts'
import { remote } from '#test/remote.ts'
import { newDataDir } from '#test/server-process.ts'
import { instantSettings } from '../../scripts/demo-settings.mjs'
import { BalanceService, failures, InstantSequence, PRICE, type World } from './instant-sequence.ts'
import { makeJobsDue, Shop } from './shop.ts'
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
const sum = { sequences: 0, steps: 0, kills: 0, webhooks: 0, abandoned: 0 }
const outcomes: Record<string, number> = {}
const started = performance.now()

report(`automatic payments: FAULTS_SEED=${seed}`)
afterAll(() => report(`automatic payments: ${JSON.stringify(outcomes)}`))

it.each(firsts)(
  'random sequences of automatic payments pay nobody twice, lose nothing and keep the limits, from number %i',
  async (first) => {
    const world = await createShop()
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
      sum.abandoned += sequence.abandoned
      for (const outcome of sequence.outcomes()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
    const { sequences, steps, kills, webhooks, abandoned } = sum
    const seconds = Math.round((performance.now() - started) / 1000)
    report(
      `${sequences} sequences: ${steps} steps, ${kills} kills, ${webhooks} webhooks, ${abandoned} abandoned batches, ${seconds} s`,
    )
  },
  timeoutFor(IN_ONE_SHOP / 10),
)

/** Sellers of one round, with up to three cards each. */
const SELLERS = 6
/** Five cards. */
const DAY_LIMIT = 5 * PRICE
/** A server is killed at most this many ms after the cards arrived. */
const WITHIN_MS = 1_500

it(
  `two servers decide and pay at once and keep the limits together, while one of them is killed, ${sizes.instantKills} times`,
  async () => {
    const chance = new Random(seed)
    const { world, shop } = await openShop()
    const cards: Record<string, number> = {}
    let webhooks = 0
    try {
      for (let round = 0; round < sizes.instantKills; round++) {
        const sequences = Array.from({ length: SELLERS }, () => new InstantSequence(world, chance))
        world.emulator.batches.length = 0
        const [any] = sequences as [InstantSequence]
        await any.pass('1 day')
        const { approved: before, sent: sentBefore } = await any.leaving()
        const shopLimit = before + PRICE * chance.integer(3, 12) + chance.integer(-1, 1)
        await any.setShopLimit(shopLimit)
        for (let count = chance.integer(0, 4); count > 0; count--)
          world.emulator.fail(...(chance.pick(failures) as Parameters<PaypalEmulator['fail']>))
        await Promise.all(sequences.map((sequence) => sequence.begin({ withLimits: false })))
        await sleep(chance.number() * WITHIN_MS)
        await shop.kill(round % 2)
        await Promise.all(sequences.map((sequence) => sequence.webhook()))
        if (chance.chance(0.5)) await chance.pick(sequences).moveByStaff()
        await shop.start(round % 2)
        await Promise.all(sequences.map((sequence) => sequence.webhook()))
        world.emulator.heal()
        await settled(world, sequences)
        const { approved, sent } = await any.leaving()
        expect(approved).toBeLessThanOrEqual(Math.max(shopLimit, before))
        expect(sent).toBeLessThanOrEqual(Math.max(DAY_LIMIT, sentBefore))
        await proveBooks(world)
        await world.context.db.execute(sql`update payout_batches set provider_next_at = null`)
        for (const sequence of sequences) webhooks += sequence.webhooks
        for (const outcome of sequences.flatMap((sequence) => sequence.outcomes()))
          cards[outcome] = (cards[outcome] ?? 0) + 1
        if (round % 10 === 9 || round + 1 === sizes.instantKills)
          report(`${round + 1} kills of one of two servers, ${webhooks} webhooks: ${JSON.stringify(cards)}`)
      }
    } finally {
      await shop.close()
    }
  },
  timeoutFor(sizes.instantKills),
)

/** Two servers of one shop. They refuse the database of the tests, which does not write to the disk. */
async function openShop(): Promise<{ world: World; shop: Shop }> {
  const [ofDatabase, ...folders] = await Promise.all([newDataDir(), newDataDir(), newDataDir()])
  const database = await startEmbedded({ dataDir: ofDatabase, log: () => undefined })
  afterwards(() => database.stop())
  const outside = await startServices()
  const secretKeys = ['k1', 'index'].map((name) => `${name}:${randomBytes(32).toString('base64')}`)
  const settings = {
    ...{ DATABASE_URL: database.url, SECRET_KEYS: secretKeys.join(','), WEBHOOKS_ALLOW_PRIVATE: 'on' },
    ...{ ...instantSettings, PAYPAL_WEBHOOK_ID: 'WH0TEST', PAYPAL_EMULATOR: outside.emulator.url },
    ...{ PAYOUT_LIMIT_PER_DAY: toDecimal(DAY_LIMIT), LOG_LEVEL: 'error' },
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '../redirect-paypal.ts')}`,
  }
  const shop = await Shop.open(settings, 2, (node) => ({ DATA_DIR: folders[node] ?? '' }))
  const pool = createPool({ connection: database.url, max: 10, onError: () => undefined })
  afterwards(() => pool.end())
  const db = createDatabase(pool)
  const keys = parseKeys(secretKeys, 'the test')
  const { context } = await createTestApp(outside.options)
  Object.assign(outside.settings, { limits: { perDay: DAY_LIMIT } })
  const world = await createWorld(outside, {
    context: { ...context, db, keys, catalog: new Catalog(db) },
    databaseUrl: database.url,
    visitor: new Person(remote(shop.url)),
  })
  return { world, shop }
}

/** Waits until the servers have nothing more to do, and checks that nobody was paid twice and nothing is lost. */
async function settled({ context: { db } }: World, sequences: readonly InstantSequence[]): Promise<void> {
  const isBusy = async () => {
    await makeJobsDue(db.$client)
    // Leases of killed servers, and steps that failed.
    await db.execute(sql`
      update payout_batches set provider_next_at = now() where provider_next_at > now() and state in ('released', 'exported')`)
    const { rows } = await db.execute(sql`
      select from jobs where kind in ('askBalance', 'decideByPolicy', 'payAtOnce') and done_at is null
      union all select from payout_batches where state = 'released'`)
    return rows.length > 0
  }
  const problem = async (): Promise<unknown> => {
    for (const sequence of sequences) await sequence.check()
    if (await isBusy()) return 'They are busy'
    try {
      for (const sequence of sequences) sequence.checkEnd()
    } catch (error) {
      return error
    }
    return undefined
  }
  await expect.poll(problem, { timeout: 60_000, interval: 250 }).toBeUndefined()
}

async function proveBooks({ context: { db } }: World): Promise<void> {
  expect((await verifyLedger(db)).problems).toEqual([])
}

/** PayPal, a balance service, and the settings of a shop that uses them. */
async function startServices() {
  const [emulator, service] = await Promise.all([PaypalEmulator.start(), BalanceService.start()])
  const settings = { limits: {}, alwaysTwoPersons: false }
  const payouts = Object.assign(settings, { manual: true, netReceivables: false, nacha: testBank })
  const options = { payoutProvider: emulator.provider(), site: { webhooksAllowPrivate: true, payouts } }
  return { emulator, service, settings, options }
}

/** A shop of this process. */
async function createShop(): Promise<World> {
  const outside = await startServices()
  const server = await createTestApp(outside.options)
  await server.db.insert(installation).values({ id: uuidv7(), database: server.name })
  const { context, url: databaseUrl } = server
  return createWorld(outside, { context, databaseUrl, visitor: server.visitor() })
}

/** Adds a second person, a connector, and a policy that pays at once. */
async function createWorld(
  { emulator, service, settings }: Awaited<ReturnType<typeof startServices>>,
  { context, ...shop }: Pick<World, 'context' | 'databaseUrl' | 'visitor'>,
): Promise<World> {
  const { db } = context
  await createAdministrator(context, 'ben', { password: ADMIN_PASSWORD, role: 'owner' })
  const found = await db.select().from(administrators)
  const [one, other] = found.map(({ id, username, role }): Staff => {
    return { kind: 'staff', id, username, role, needsSecondFactor: false, sid: '' }
  })
  if (!one || !other) throw new Error('There is no staff')
  await saveConnector(context, one, 'amazon', { url: service.url, paused: false })
  const policyId = await payingPolicy({ pool: db.$client })
  // A sample is drawn by chance, so that a seed would not repeat a run.
  await db.execute(sql`alter table policies drop constraint policies_sample_percent_check`)
  await db.execute(sql`alter table policies disable trigger policies_append_only`)
  await db.execute(
    sql`update policies set sample_percent = 0, seller_limit = 1000000000, shop_limit = 1000000000`,
  )
  return { ...shop, context, emulator, service, staff: [one, other], settings, policyId }
}
