import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { PayoutState } from '#domain/payout.ts'
import type { PayoutLimits } from '#domain/payout-limits.ts'
import { movesFrom, type Status } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { readDayLimit } from '#server/features/books/limits.ts'
import { voidPayout } from '#server/features/payouts/actions.ts'
import { payAtOnce } from '#server/features/payouts/automatic.ts'
import { createBatch, freezeBatch, releaseBatch, voidBatch } from '#server/features/payouts/batches.ts'
import { paypalIdOf } from '#server/features/payouts/files/paypal.ts'
import { advanceBatches } from '#server/features/payouts/provider/advance.ts'
import { enterProviderBatch } from '#server/features/payouts/provider/enter-id.ts'
import { confirmRejection, reportRejection } from '#server/features/payouts/reject.ts'
import { answerBalanceRequest, askBalance } from '#server/features/submissions/balance-requests.ts'
import { allowedMove, makeMove } from '#server/features/submissions/move.ts'
import { decideByPolicy } from '#server/features/submissions/policies/decide.ts'
import { lockCard } from '#server/features/submissions/queries.ts'
import { dataKeyContext, sealSecrets } from '#server/features/submissions/secrets.ts'
import { changePayoutAccount } from '#server/features/submissions/selling/payout-account.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { giftCards, transactions, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { newDataKey, wrapKey } from '#server/platform/vault/seal.ts'
import { afterwards } from '#test/afterwards.ts'
import type { PaypalEmulator } from '#test/paypal.ts'
import type { Person } from '#test/person.ts'
import type { Random } from '#test/random.ts'

/** What a sequence works on. */
export interface World {
  readonly context: Context
  readonly databaseUrl: string
  /** Sends webhooks to the shop. */
  readonly visitor: Person
  readonly emulator: PaypalEmulator
  readonly service: BalanceService
  /** Two, because batches need them. */
  readonly staff: readonly [Staff, Staff]
  readonly policyId: string
  /** The settings of the shop, which steps change. */
  readonly settings: { limits: PayoutLimits; alwaysTwoPersons: boolean }
}

/** A service that knows the balances of cards by their numbers. */
export class BalanceService {
  url = ''
  readonly answers = new Map<string, { status: string; amount?: string } | number>()

  static async start(): Promise<BalanceService> {
    const service = new BalanceService()
    const server = createServer(async (request, response) => {
      const { data } = (await json(request)) as { data: { number: string } }
      const answer = service.answers.get(data.number) ?? { status: 'unknown' }
      if (typeof answer === 'number') return void response.writeHead(answer).end()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    afterwards(async () => {
      server.closeAllConnections()
      server.close()
    })
    return service
  }
}

const FACE_VALUE = 10_000
export const PRICE = 9_300
const NO_LIMIT = 1_000_000_000
const YEAR_MS = 365 * 86_400_000

interface Card extends Record<string, unknown> {
  readonly id: string
  readonly status: Status
  readonly version: number
  readonly payouts: readonly {
    id: string
    number: number
    state: PayoutState
    byHand: boolean
    automatic: string | null
    batch: string | null
    batchState: string | null
    providerState: string | null
  }[]
}

/** What left today, and the batches that were released. */
interface Leaving {
  readonly sent: number
  readonly batches: number
  /** The total of the newest of them. */
  readonly newest: number
  /** What policies approved. */
  readonly approved: number
}

export const failures = [
  ['token', { connection: 'drop' }],
  ['create', { connection: 'drop' }],
  ['create', { connection: 'lose' }],
  ['create', { status: 429, name: 'RATE_LIMIT_REACHED' }],
  ['create', { status: 503 }],
  ['create', { status: 422, name: 'INSUFFICIENT_FUNDS' }],
  ['read', { status: 503 }],
  ['read', { connection: 'lose' }],
  ['verify', { status: 503 }],
  ['verify', { connection: 'lose' }],
] as const

const events = [
  ...['PAYMENT.PAYOUTSBATCH.PROCESSING', 'PAYMENT.PAYOUTSBATCH.SUCCESS', 'PAYMENT.PAYOUTSBATCH.DENIED'],
  ...['PAYMENT.PAYOUTS-ITEM.SUCCEEDED', 'PAYMENT.PAYOUTS-ITEM.FAILED', 'PAYMENT.PAYOUTS-ITEM.RETURNED'],
]

const answers = [
  { status: 'ok', amount: '100.00' },
  { status: 'ok', amount: '99.99' },
  { status: 'ok', amount: '0' },
  { status: 'not_found' },
  { status: 'blocked' },
  { status: 'unknown' },
  404,
] as const

const itemChanges: Readonly<Record<string, readonly string[]>> = {
  SUCCESS: ['REVERSED', 'REFUNDED'],
  UNCLAIMED: ['SUCCESS', 'RETURNED'],
  ONHOLD: ['SUCCESS', 'RETURNED'],
  PENDING: ['SUCCESS', 'FAILED', 'UNCLAIMED', 'ONHOLD'],
}
const LIVE_ITEMS = ['SUCCESS', 'UNCLAIMED', 'PENDING', 'ONHOLD', 'NEW']

/** Statements after which a connection may be ended. A payment makes about fifty, a step of PayPal ten. */
const MAX_STATEMENTS = 30

/** A random sequence of what happens around automatic payments, for one seller with a few cards. */
export class InstantSequence {
  readonly #world: World
  readonly #chance: Random
  readonly #seller: Seller
  /** Each account is that of one card. */
  readonly #wallets = new Map<string, string[]>()
  readonly #numbers = new Map<string, string>()
  /** What was done, for the report of a failure. */
  readonly steps: string[] = []
  kills = 0
  webhooks = 0
  abandoned = 0
  #shopLimit = NO_LIMIT
  /** As they were after the last step. */
  #cards: readonly Card[] = []
  #left: Leaving = { sent: 0, batches: 0, newest: 0, approved: 0 }
  /** Everything that PayPal sent, because it sends it again. */
  readonly #sent: ReturnType<PaypalEmulator['webhook']>[] = []

  constructor(world: World, chance: Random) {
    this.#world = world
    this.#chance = chance
    const id = uuidv7()
    this.#seller = { kind: 'seller', id, username: `s${id.slice(-12)}`, locale: 'en', sid: '' }
  }

  get #context(): Context {
    return this.#world.context
  }

  /** A new seller submits cards, and their balances are asked. */
  async begin({ withLimits = true } = {}): Promise<void> {
    const { id, username } = this.#seller
    const cards = Array.from({ length: this.#chance.integer(1, 3) }, () => this.#newCard())
    await transaction(this.#context.db, async (tx) => {
      const names = { passwordHash: '', firstName: 'Sam', lastName: 'Seller' }
      const createdAt = new Date(Date.now() - YEAR_MS)
      const seller = { id, username, email: `${username}@example.com`, ...names, verified: true, createdAt }
      await tx.insert(users).values(seller)
      await tx.insert(giftCards).values(cards)
      // The seller has used their accounts before.
      const earlier = cards.map((card) => ({
        ...card,
        id: uuidv7(),
        fingerprint: randomBytes(32),
        createdAt,
      }))
      await tx.insert(giftCards).values(earlier.map((card) => ({ ...card, status: 'cancelled' as const })))
      const amounts = cards.map(({ id: giftCardId, sellingPrice: amount }) => ({
        ...{ id: uuidv7(), giftCardId, sellerId: id, amount, createdAt: new Date() },
      }))
      await tx.insert(transactions).values(amounts)
      await tx.execute(sql`
        insert into status_history (gift_card_id, version, to_status, by_kind, by_id)
        select id, 1, 'pending', 'seller', seller_id from gift_cards where seller_id = ${id} and status = 'pending'`)
      for (const card of cards) await askBalance(tx, card.id)
    })
    this.#cards = await this.read()
    this.#left = await this.leaving()
    if (withLimits && this.#chance.chance(0.4)) this.#limit()
    if (withLimits && this.#chance.chance(0.3)) await this.#policyLimit()
  }

  #newCard() {
    const { keys } = this.#context
    const id = uuidv7()
    const dataKey = newDataKey()
    const cardNumber = randomBytes(8).toString('hex').toUpperCase()
    const wallet = this.#newWallet(id)
    this.#numbers.set(id, cardNumber)
    this.#world.service.answers.set(
      cardNumber,
      this.#chance.chance(0.8) ? answers[0] : this.#chance.pick(answers),
    )
    const account = { paymentType: 'paypal', paymentAccountInfo: wallet } as const
    const none = { paymentRoutingNumber: undefined, paymentAccountNumber: undefined }
    return {
      id,
      sellerId: this.#seller.id,
      ...{ brand: 'amazon', brandName: 'Amazon', unlistedBrand: false },
      ...{ denomination: FACE_VALUE, sellingPrice: PRICE, quotedPrice: PRICE, discountPercentage: 700 },
      dataKey: wrapKey(keys, dataKey, dataKeyContext(id)),
      ...sealSecrets(keys, dataKey, id, { cardNumber, securityCode: '1234', ...account, ...none }),
      ...{
        paymentType: 'paypal' as const,
        paymentAccountName: 'Sam Seller',
        cardNumberLastFour: cardNumber.slice(-4),
      },
      paymentAccountIndex: randomBytes(32),
      fingerprint: randomBytes(32),
      ...{ createdAt: new Date(), updatedAt: new Date() },
    }
  }

  #newWallet(card: string): string {
    const wallet = `${randomBytes(6).toString('hex')}@example.com`
    this.#wallets.set(card, [...(this.#wallets.get(card) ?? []), wallet])
    if (this.#chance.chance(0.2)) {
      this.#world.emulator.outcomes.set(
        wallet,
        this.#chance.pick(['FAILED', 'UNCLAIMED', 'ONHOLD', 'BLOCKED']),
      )
    }
    return wallet
  }

  /** Does `count` random things, and checks the limits after each. */
  async run(count: number): Promise<void> {
    for (let step = 0; step < count; step++) {
      const before = this.#left
      const [name, act] = this.#chance.weighted(this.#choices())
      this.steps.push(name)
      try {
        await act()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        this.steps.push(`(${error.code})`)
      }
      const { limits } = this.#world.settings
      const after = await this.leaving()
      this.#left = after
      if (after.sent > before.sent && after.sent > (limits.perDay ?? Number.POSITIVE_INFINITY)) {
        throw new Error(`${after.sent} left in a day, above the limit of ${limits.perDay}`)
      }
      if (after.approved > before.approved && after.approved > this.#shopLimit) {
        throw new Error(`Policies approved ${after.approved} in a day, above the limit of ${this.#shopLimit}`)
      }
      if (after.batches > before.batches && PRICE > (limits.perPayout ?? PRICE)) {
        throw new Error(`${PRICE} left, above the limit of ${limits.perPayout} for one payout`)
      }
      if (after.batches > before.batches && after.newest > (limits.perBatch ?? Number.POSITIVE_INFINITY)) {
        throw new Error(`${after.newest} left in a batch, above the limit of ${limits.perBatch}`)
      }
      await this.check()
    }
  }

  async leaving(): Promise<Leaving> {
    const { db } = this.#context
    const [today, { rows }] = await Promise.all([
      readDayLimit(db, { perDay: 0 }),
      db.execute<{ batches: number; newest: string; approved: string }>(sql`
        select count(*)::int as batches, coalesce((array_agg(total order by number desc))[1], 0) as newest,
          (select coalesce(sum(price), 0) from policy_decisions
            where outcome = 'approved' and at >= date_trunc('day', now())) as approved
        from payout_batches where released_at is not null`),
    ])
    const { batches, newest, approved } = onlyRow(rows)
    return { sent: today?.sent ?? 0, batches, newest: Number(newest), approved: Number(approved) }
  }

  #choices(): [readonly [name: string, act: () => Promise<unknown>], number][] {
    const cards = this.#cards
    const chance = this.#chance
    const card = chance.pick(cards)
    const { settings, staff, emulator, service } = this.#world
    const payout = card.payouts.find(({ state }) => state !== 'void')
    const { db } = this.#context
    const set = (change: ReturnType<typeof sql>) => db.execute(sql`update installation set ${change}`)
    const choices: [readonly [string, () => Promise<unknown>], number][] = [
      [['work', () => this.#work(this.#context)], 14],
      [['work, killed', () => this.#killed((context) => this.#work(context))], 3],
      [
        ['work twice at once', () => Promise.all([this.#work(this.#context), this.#work(this.#context)])],
        0.5,
      ],
      [['work again', () => this.#workAgain()], 0.7],
      [['advance', () => this.#advance(this.#context)], 5],
      [['advance, killed', () => this.#killed((context) => this.#advance(context))], 1.5],
      [
        [
          'advance twice at once',
          () => Promise.all([this.#advance(this.#context), this.#advance(this.#context)]),
        ],
        0.3,
      ],
      [['PayPal fails', async () => this.#failNext()], 2],
      [['PayPal changes an item', async () => this.#changeItem()], 1.5],
      [
        [
          'PayPal denies',
          async () => Object.assign(emulator, { denies: chance.chance(0.5) ? 'DENIED' : undefined }),
        ],
        0.2,
      ],
      [['PayPal is slow', async () => Object.assign(emulator, { isSlow: chance.chance(0.5) })], 0.4],
      [
        [
          'balance changes',
          async () => service.answers.set(this.#numbers.get(card.id) ?? '', chance.pick(answers)),
        ],
        2,
      ],
      [['11 minutes', () => this.pass('11 minutes')], 0.7],
      [['a day', () => this.pass('1 day')], 0.3],
      [['stop policies', () => set(sql`policies_stopped_at = now()`)], 0.3],
      [['start policies', () => set(sql`policies_stopped_at = null`)], 0.6],
      [['stop payouts', () => set(sql`payouts_stopped_at = now()`)], 0.2],
      [['resume payouts', () => set(sql`payouts_stopped_at = null`)], 0.6],
      [['limit', async () => this.#limit()], 1.5],
      [['limit of the policy', () => this.#policyLimit()], 0.5],
      [['two persons', async () => Object.assign(settings, { alwaysTwoPersons: chance.chance(0.3) })], 0.3],
      [['hold or release the seller', () => this.#holdSeller()], 0.3],
      [['batch by people', () => this.#batch(cards)], 0.6],
    ]
    for (const { to, name, by } of [
      ...movesFrom(card.status, 'staff'),
      ...movesFrom(card.status, 'seller'),
    ]) {
      if (by === 'staff' && to !== 'offered') choices.push([[name, () => this.#move(card, to)], 0.3])
      if (name === 'withdraw') choices.push([[name, () => this.#withdraw(card)], 0.1])
    }
    if (this.#batches.length > 0) choices.push([['webhook', () => this.webhook()], 8])
    if (payout?.batchState === 'released' && payout.providerState === 'waiting')
      choices.push([['the answer never comes', () => this.#loseAnswer()], 40])
    if (payout?.batch && payout.batchState === 'released' && payout.providerState === 'sending') {
      const { batch } = payout
      choices.push([['26 days, and people look', () => this.#end(batch)], 25])
    }
    if (payout) {
      const reason = chance.pick(['Stolen card', 'payout_account_closed'])
      choices.push([['void', () => voidPayout(this.#context, staff[0], payout.id, reason)], 0.2])
      if (payout.batch) {
        const batch = payout.batch
        choices.push([['dissolve', () => voidBatch(this.#context, chance.pick(staff), batch)], 0.4])
      }
    }
    if (payout?.state === 'returned' || card.status === 'failed')
      choices.push([['new account', () => this.#changeAccount(card.id)], 2])
    return choices
  }

  /** Runs the next job about a balance or an automatic payment, as a worker does. @returns whether there was one */
  async #work(context: Context): Promise<boolean> {
    const { rows } = await this.#context.db.execute<Job>(sql`
      select id, kind, payload from jobs where ${isOurs} and done_at is null order by run_at, id limit 1`)
    const [job] = rows
    if (!job) return false
    await handlers[job.kind](context, job.payload)
    await this.#context.db.execute(sql`update jobs set done_at = now() where id = ${job.id}`)
    return true
  }

  async #workAgain(): Promise<void> {
    const { rows } = await this.#context.db.execute<Job>(sql`
      select id, kind, payload from jobs where ${isOurs} and done_at is not null order by id desc limit 5`)
    if (rows.length === 0) return
    const { kind, payload } = this.#chance.pick(rows)
    await handlers[kind](this.#context, payload)
  }

  /** Runs `work` on a connection that the database ends at a random statement. */
  async #killed(work: (context: Context) => Promise<unknown>): Promise<void> {
    let left = this.#chance.integer(1, MAX_STATEMENTS)
    const pool = createPool({ connection: this.#world.databaseUrl, max: 2, onError: () => undefined })
    const { $client: killer } = this.#context.db
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...statement: unknown[]) => unknown
      client.query = ((...statement: unknown[]) => {
        left -= 1
        if (left !== 0) return query(...statement)
        this.kills += 1
        const { processID } = client as unknown as { processID: number }
        return killer.query('select pg_terminate_backend($1)', [processID]).then(() => query(...statement))
      }) as typeof client.query
    })
    try {
      await work({ ...this.#context, db: createDatabase(pool) })
    } catch (error) {
      if (left > 0 || error instanceof Refusal) throw error
    } finally {
      await pool.end()
    }
  }

  /** Makes the next step of the seller's batches, even if it is not due yet. */
  async #advance(context: Context): Promise<void> {
    await this.#context.db.execute(
      sql`update payout_batches set provider_next_at = now() where ${this.#isOwnBatch}`,
    )
    await advanceBatches(context, new AbortController().signal)
  }

  /** A webhook about any batch: a new one or one of earlier, once or twice at once. What it says need not be true any more. */
  async webhook(): Promise<void> {
    const { emulator, visitor } = this.#world
    if (this.#batches.length === 0) return
    if (this.#sent.length === 0 || this.#chance.chance(0.6)) {
      this.#sent.push(emulator.webhook(this.#chance.pick(events), this.#chance.pick(this.#batches).id))
    }
    const { headers, body: payload } = this.#chance.pick(this.#sent)
    const isForged = this.#chance.chance(0.1)
    // A killed server answers nothing. PayPal sends the webhook again.
    const send = async () =>
      visitor
        .send({
          ...{ method: 'POST', url: '/api/payout-provider/webhook', payload: Buffer.from(payload) },
          headers: { ...headers, ...(isForged && { 'paypal-transmission-id': randomUUID() }) },
        })
        .catch((error: Error) => {
          if (error.message !== 'socket hang up') throw error
          return { status: 503 }
        })
    const isKnown = await this.#isKnown(payload)
    for (const { status } of await Promise.all(this.#chance.chance(0.3) ? [send(), send()] : [send()])) {
      this.webhooks += 1
      // 503: PayPal could not be asked about the signature. It sends the webhook again.
      const expected = isForged ? (isKnown ? [401] : [401, 200]) : [200]
      if (status !== 503 && !expected.includes(status)) {
        throw new Error(`${isForged ? 'A forged' : 'A'} webhook was answered with ${status}`)
      }
    }
    await advanceBatches(this.#context, new AbortController().signal)
  }

  /** Whether the shop knows PayPal's number of the batch. Otherwise the webhook is none of its business. */
  async #isKnown(webhook: string): Promise<boolean> {
    const { resource } = JSON.parse(webhook)
    const { rowCount } = await this.#context.db.execute(
      sql`select from payout_batches
        where provider_batch_id = ${resource.payout_batch_id ?? resource.batch_header.payout_batch_id}`,
    )
    return Boolean(rowCount)
  }

  /** What PayPal has of this seller. */
  get #batches() {
    const wallets = [...this.#wallets.values()].flat()
    return this.#world.emulator.batches.filter(({ items }) =>
      items.some(({ payout_item: { receiver } }) => wallets.includes(receiver)),
    )
  }

  get #isOwnBatch() {
    return sql`provider_next_at is not null
      and id in (select batch_id from payouts where seller_id = ${this.#seller.id})`
  }

  /** Before or after PayPal has the batch. */
  async #loseAnswer(): Promise<void> {
    this.#world.emulator.fail('create', { connection: this.#chance.pick(['drop', 'lose']) })
    await this.#advance(this.#context)
  }

  /** People look for a batch at PayPal, whose answer never came. */
  async #end(batch: string): Promise<void> {
    const [one, other] = this.#world.staff
    await this.pass('26 days')
    await this.#advance(this.#context)
    const found = this.#world.emulator.batches.find(({ senderId }) => senderId === batch)
    if (found) return void (await enterProviderBatch(this.#context, one, batch, found.id))
    await reportRejection(this.#context, one, batch, 'Not in the activity')
    await confirmRejection(this.#context, other, batch)
    this.abandoned += 1
  }

  #failNext(): void {
    const [call, failure] = this.#chance.pick(failures)
    this.#world.emulator.fail(call, failure)
  }

  #changeItem(): void {
    const items = this.#world.emulator.batches.flatMap((batch) =>
      batch.status === 'DENIED' ? [] : batch.items,
    )
    if (items.length === 0) return
    const item = this.#chance.pick(items)
    const next = itemChanges[item.transaction_status]
    if (next) item.transaction_status = this.#chance.pick(next)
  }

  async pass(time: '11 minutes' | '1 day' | '26 days'): Promise<void> {
    const { db } = this.#context
    const ago = sql`${time}::interval`
    await db.execute(sql`update balance_requests set asked_at = asked_at - ${ago}`)
    await db.execute(sql`update balance_checks set at = at - ${ago}`)
    await db.execute(sql`update policy_decisions set at = at - ${ago}`)
    await db.execute(sql`update payouts set batchable_at = batchable_at - ${ago}, sent_at = sent_at - ${ago}`)
    await db.execute(
      sql`update payout_batches set released_at = released_at - ${ago} where released_at is not null`,
    )
  }

  /** A limit that the next payouts just keep, or just exceed. */
  #limit(): void {
    const chance = this.#chance
    const { sent } = this.#left
    const edge = PRICE * chance.integer(0, 3) + chance.integer(-1, 1)
    this.#world.settings.limits = chance.pick<PayoutLimits>([
      {},
      { perDay: Math.max(0, sent + edge) },
      { perBatch: Math.max(0, edge) },
      { perPayout: PRICE + chance.integer(-1, 1) },
      { secondApprovalAbove: Math.max(0, edge) },
    ])
  }

  /** Limits of the policy that the next cards just keep, or just exceed. */
  async #policyLimit(): Promise<void> {
    const { approved } = this.#left
    const edge = approved + PRICE * this.#chance.integer(0, 3) + this.#chance.integer(-1, 1)
    await this.setShopLimit(this.#chance.chance(0.5) ? Math.max(1, edge) : NO_LIMIT)
  }

  /** Adds a version of the policy. */
  async setShopLimit(limit: number): Promise<void> {
    this.#shopLimit = limit
    await this.#context.db.execute(sql`
      insert into policies (id, version, mode, name, brands, max_face_value, min_account_days, min_completed_sales, wait_minutes,
        seller_limit, shop_limit, sample_percent, pays_at_once, written_by, by_id)
      select id, version + 1, mode, name, brands, max_face_value, min_account_days, min_completed_sales, wait_minutes,
        seller_limit, ${limit}, sample_percent, pays_at_once, written_by, by_id
      from policies where id = ${this.#world.policyId} order by version desc limit 1`)
  }

  async #holdSeller(): Promise<void> {
    const state = this.#chance.pick(['held', 'active', 'active'])
    await this.#context.db.execute(sql`update users set state = ${state} where id = ${this.#seller.id}`)
  }

  async #batch(cards: readonly Card[]): Promise<void> {
    const [one, other] = this.#world.staff
    const due = cards.flatMap(({ payouts }) =>
      payouts.flatMap(({ id, state }) => (state === 'due' ? [id] : [])),
    )
    if (due.length === 0) return
    const { id } = await createBatch(this.#context, one, { paymentType: ['paypal'], payoutIds: due })
    try {
      await freezeBatch(this.#context, other, id)
      await releaseBatch(this.#context, one, id)
    } catch (error) {
      if (this.#chance.chance(0.7)) await voidBatch(this.#context, one, id)
      throw error
    }
  }

  async #move({ id, version }: Card, to: Status): Promise<void> {
    await transaction(this.#context.db, async (tx) => {
      const card = await lockCard(tx, id)
      if (!card) return
      const move = await allowedMove(tx, card, 'staff', { to, reason: 'Because', version })
      await makeMove(tx, this.#context, card, this.#chance.pick(this.#world.staff), move, { text: 'Because' })
    })
  }

  /** A person makes a move that is allowed for one of the cards. */
  async moveByStaff(): Promise<void> {
    const card = this.#chance.pick(await this.read())
    const moves = movesFrom(card.status, 'staff').filter(({ by, to }) => by === 'staff' && to !== 'offered')
    if (moves.length === 0) return
    await this.#move(card, this.#chance.pick(moves).to).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
  }

  async #withdraw({ id }: Card): Promise<void> {
    await transaction(this.#context.db, async (tx) => {
      const card = await lockCard(tx, id, this.#seller.id)
      if (!card) return
      const move = await allowedMove(tx, card, 'seller', { to: 'cancelled' })
      await makeMove(tx, this.#context, card, this.#seller, move)
    })
  }

  async #changeAccount(id: string): Promise<void> {
    const account = { accountInfo: this.#newWallet(id), routingNumber: undefined, accountNumber: undefined }
    const sent = {
      type: 'paypal' as const,
      accountName: 'Sam Seller',
      ...account,
      paymentMethodId: undefined,
    }
    await changePayoutAccount(this.#context, this.#seller, id, sent)
  }

  /** Lets everything run that was held up, and checks that nothing is left on the way. */
  async finish(): Promise<void> {
    const { emulator, settings } = this.#world
    Object.assign(settings, { limits: {}, alwaysTwoPersons: false })
    emulator.heal()
    await this.#context.db.execute(
      sql`update installation set policies_stopped_at = null, payouts_stopped_at = null`,
    )
    await this.#context.db.execute(sql`update users set state = 'active' where id = ${this.#seller.id}`)
    for (let ran = 0; await this.#work(this.#context); ran++) {
      if (ran > 100) throw new Error('The jobs do not end')
    }
    await this.#settle()
    const lost = (await this.read()).flatMap(({ payouts }) =>
      payouts.flatMap(({ batch, batchState, providerState: at }) =>
        batch && batchState === 'released' && at === 'sending' ? [batch] : [],
      ),
    )
    for (const batch of new Set(lost)) await this.#end(batch)
    await this.#settle()
    for (let late = this.#chance.integer(0, 2); late > 0 && this.#batches.length > 0; late--)
      await this.webhook()
    await this.check()
    this.checkEnd()
    await this.#context.db.execute(sql`update payout_batches set provider_next_at = null`)
    // The next sequence has no limit until it sets one.
    if (this.#shopLimit !== NO_LIMIT) await this.setShopLimit(NO_LIMIT)
  }

  /** Makes the steps of the seller's batches until nothing changes any more. */
  async #settle(): Promise<void> {
    for (let step = 0; step < 3; step++) {
      const before = JSON.stringify(await this.read())
      await this.#advance(this.#context)
      if (JSON.stringify(await this.read()) === before) return
    }
  }

  /** Checks that nothing is on its way any more. */
  checkEnd(): void {
    for (const { id, payouts } of this.#cards) {
      for (const { state, automatic, number } of payouts) {
        if (state === 'due' && automatic === 'asking') throw new Error(`${id} is asked about forever`)
        const item = this.#itemOf(number)?.transaction_status
        const isPaid = item === 'SUCCESS'
        if (item && (state === 'paid') !== isPaid) throw new Error(`${id} is ${state}, PayPal says ${item}`)
      }
    }
  }

  /** Throws if somebody was paid twice, or if a card is lost between its approval and its payment. */
  async check(): Promise<void> {
    const { emulator } = this.#world
    const sentBatches = emulator.batches.filter(({ status }) => status !== 'DENIED')
    const ids = sentBatches.flatMap(({ items }) => items.map(({ payout_item: { sender_item_id: id } }) => id))
    if (new Set(ids).size < ids.length) throw new Error(`PayPal got one payout twice: ${ids.join(', ')}`)
    this.#cards = await this.read()
    for (const card of this.#cards) {
      const { id, status, payouts } = card
      const wallets = this.#wallets.get(id) ?? []
      const live = sentBatches
        .flatMap(({ items }) => items)
        .filter(({ payout_item, transaction_status: state }) => {
          return wallets.includes(payout_item.receiver) && LIVE_ITEMS.includes(state)
        }).length
      const byHand = payouts.filter(({ state, byHand }) => state === 'paid' && byHand).length
      if (live + byHand > 1) throw new Error(`${id} was paid twice: ${JSON.stringify(card)}`)
      const owed = payouts.filter(({ state }) => !['void', 'returned'].includes(state)).length
      const returned = payouts.at(-1)?.state === 'returned'
      const isApproved = status === 'processing' || status === 'completed'
      if (isApproved ? owed !== 1 && !(owed === 0 && returned) : owed > 0) {
        throw new Error(`${id} is lost: ${JSON.stringify(card)}`)
      }
      const isPaid = payouts.some(({ state }) => state === 'paid')
      if (isPaid !== (status === 'completed'))
        throw new Error(`${id} is not completed: ${JSON.stringify(card)}`)
    }
  }

  /** How each automatic payment ended. */
  outcomes(): string[] {
    const payouts = this.#cards.flatMap((card) => card.payouts)
    return payouts.flatMap(({ automatic, state }) => (automatic ? `${automatic}, ${state}` : []))
  }

  #itemOf(number: number) {
    const items = this.#world.emulator.batches.flatMap((batch) =>
      batch.status === 'DENIED' ? [] : batch.items,
    )
    return items.find(({ payout_item }) => payout_item.sender_item_id === paypalIdOf(number))
  }

  async read(): Promise<Card[]> {
    const { rows } = await this.#context.db.execute<Card>(sql`
      select id, status, version, (
        select coalesce(json_agg(json_build_object('id', payouts.id, 'number', payouts.number, 'state', payouts.state,
            'byHand', by_hand, 'automatic', automatic, 'batch', batch_id, 'batchState', payout_batches.state,
            'providerState', payout_batches.provider_state)
          order by payouts.number), '[]')
        from payouts left join payout_batches on payout_batches.id = batch_id where gift_card_id = gift_cards.id
      ) as payouts
      from gift_cards where id = any(${sql.param([...this.#numbers.keys()])}::uuid[]) order by id`)
    return rows
  }
}

interface Job extends Record<string, unknown> {
  readonly id: string
  readonly kind: keyof typeof handlers
  readonly payload: { requestId: string; giftCardId: string }
}

const handlers = { askBalance: answerBalanceRequest, decideByPolicy, payAtOnce }
const isOurs = sql`kind in ('askBalance', 'decideByPolicy', 'payAtOnce')`
