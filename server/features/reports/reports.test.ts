import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { reportNames } from '#domain/reports.ts'
import { moves } from '#domain/submission.ts'
import { giftCards, inventory, payouts, statusHistory } from '#server/platform/database/schema.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { explain } from '#test/plans.ts'
import { Random } from '#test/random.ts'
import { moveAnyway, submitted, submittedIn } from '#test/submissions.ts'
import { readReport } from './reports.ts'

let shop: TestApp
let seller: Person
let staff: Person
let other: Person

beforeAll(async () => {
  shop = await createTestApp()
  seller = await shop.seller('sam')
  staff = await shop.staff()
  other = await shop.staff('ana', 'reviewer')
})

const today = () => new Date().toISOString().slice(0, 10)
const report = async (name: string, query = `from=${today()}&to=${today()}`) =>
  (await staff.get(`/api/admin/reports/${name}?${query}`)).json

it('counts what was done today', async () => {
  const approved = await submittedIn('processing', { seller, staff })
  await moveAnyway(staff, approved, { status: 'completed' })
  const undone = await submitted(seller)
  const { json } = await staff.patch(`/api/admin/submissions/${undone}/status`, {
    status: 'rejected',
    reason: 'Blurry',
    undoable: true,
  })
  await staff.post(`/api/admin/submissions/${undone}/undo`, { version: json.version })
  await submittedIn('processing', { seller, staff })
  const rejected = await submittedIn('rejected', { seller, staff: other })
  await moveAnyway(staff, rejected, { status: 'processing' })
  await submittedIn('offered', { seller, staff: other })

  const period = today()
  expect(await report('volume')).toEqual([{ period, submissions: 5, faceValue: '500.00', quoted: '465.00' }])
  expect(await report('approval_rate')).toEqual([{ period, approved: 3, rejected: 1, rate: '75.00' }])
  expect(await report('decision_time')).toEqual([
    { period, decisions: 4, median: expect.any(Number), percentile90: expect.any(Number) },
  ])
  expect(await report('payout_time')).toMatchObject([{ period, payouts: 1 }])
  expect(await report('paid_out')).toEqual([{ period, paymentType: 'paypal', payouts: 1, amount: '93.00' }])
  expect(await report('owed')).toEqual([
    { paymentType: 'paypal', age: 'under_1_day', payouts: 2, amount: '186.00' },
  ])
  expect(await report('stock')).toEqual([{ period, brand: 'amazon', cards: 1, cost: '93.00' }])
  expect(await report('reviewers')).toMatchObject([
    { reviewer: 'admin', decisions: 3, approved: 3, rejected: 0, offered: 0, takenBack: 1 },
    { reviewer: 'ana', decisions: 2, approved: 0, rejected: 1, offered: 1, takenBack: 1 },
  ])
})

it('counts what became of paid cards', async () => {
  const [sold, bad, reverted] = await Promise.all(
    [1, 2, 3].map(() => submittedIn('completed', { seller, staff })),
  )
  const at = sql`'2026-03-05T12:00:00Z'`
  await shop.db.execute(sql`
    update inventory set state = 'sold', sold_at = ${at}, left_at = ${at}, proceeds = 9000 where gift_card_id = ${sold}`)
  await shop.db.execute(sql`update inventory set state = 'bad', left_at = ${at} where gift_card_id = ${bad}`)
  const { json } = await staff.get(`/api/admin/submissions/${reverted}`)
  await moveAnyway(staff, reverted ?? '', { status: 'processing', version: json.version })
  await shop.db.execute(sql`
    update payouts set state = 'returned', returned_at = ${at}, return_code = 'R03' where gift_card_id = ${bad}`)

  const march = 'from=2026-02-20&to=2026-03-20&by=month'
  const period = '2026-03-01'
  expect(await report('margin', march)).toEqual([
    { period, brand: 'amazon', cards: 1, cost: '93.00', proceeds: '90.00', margin: '-3.00' },
  ])
  expect(await report('losses', march)).toEqual([
    { period: '2026-02-01', badCards: 0, badCost: '0.00', writtenOff: '0.00' },
    { period, badCards: 1, badCost: '93.00', writtenOff: '0.00' },
  ])
  expect(await report('returns', march)).toEqual([{ period, code: 'R03', payouts: 1, amount: '93.00' }])
  const csv = await staff.get(`/api/admin/reports/margin.csv?${march}`)
  expect(csv.text).toBe(
    'period,brand,cards,cost,proceeds,margin\r\n2026-03-01,amazon,1,93.00,90.00,-3.00\r\n',
  )
  const log = await staff.get('/api/admin/audit?action=report.exported')
  expect(log.json[0]).toMatchObject({ subject: 'margin', details: { from: '2026-02-20', by: 'month' } })
})

it('refuses days around the years 0 and 10000, which never end', async () => {
  for (const path of ['volume?to=9999-12-31', 'volume?to=0000-01-05', 'volume?from=0000-01-01&by=week']) {
    const { status, json } = await staff.get(`/api/admin/reports/${path}`)
    expect([path, status, json.errors[0].code]).toEqual([path, 400, 'day_invalid'])
  }
  const last = await staff.get('/api/admin/reports/volume?from=2099-12-01&to=2099-12-31&by=month')
  expect(last.json.map(({ period }: { period: string }) => period)).toEqual(['2099-12-01'])
  for (const month of ['0000-01', '9999-12']) {
    const { json } = await staff.get(`/api/admin/reports/journal.csv?month=${month}`)
    expect(json.errors[0].code).toBe('month_invalid')
  }
})

it('refuses unknown reports, invalid days, and ranges that are too long or reversed', async () => {
  const answers = await Promise.all(
    ['nothing', 'volume?from=today', 'volume?from=2020-01-01', 'volume?from=2026-02-02&to=2026-02-01'].map(
      (path) => staff.get(`/api/admin/reports/${path}`),
    ),
  )
  expect(answers.map(({ status, json }) => [status, json.errors?.[0]?.code])).toEqual([
    [404, undefined],
    [400, 'day_invalid'],
    [400, 'range_too_long'],
    [400, 'times_reversed'],
  ])
})

it.each(reportNames.filter((name) => name !== 'owed'))('reads only counters for %s', async (name) => {
  const range = { from: '2025-01-01', to: '2026-12-31', by: 'month' } as const
  const statements = await explain(shop.pool, (db) => readReport({ db }, name, range))
  const read = statements.flatMap(({ scanned, indexes }) => [...scanned, ...indexes])
  expect(read).toContain('report_counts_pkey')
  const allowed = /^(report_changes|report_counts_pkey|administrators_pkey|administrators|ledger_totals_.*)$/
  expect(read.filter((table) => !allowed.test(table))).toEqual([])
})

it('agrees with the tables after random moves, payouts and sales', async () => {
  const random = new Random(7)
  for (let card = 0; card < 40; card++) await liveRandomly(random)
  const counted = await totalsOf(sql`report_totals`)
  expect(counted).toEqual(await recounted())
  // What a migration counts.
  const backfilled = sql`(
    select measure, day, key, bucket, count, amount from report_moves
    union all select counted.* from payouts cross join lateral report_payout(payouts) as counted
    union all select counted.* from inventory cross join lateral report_item(inventory) as counted
  ) as everything`
  expect(await totalsOf(backfilled)).toEqual(counted)
  await shop.db.execute(sql`select sum_up_report_changes()`)
  expect(await totalsOf(sql`report_counts`)).toEqual(counted)
})

/** Inserts a card with a random history over some days, sometimes all in one statement, and changes its payout and its item. */
async function liveRandomly(random: Random): Promise<void> {
  const id = randomUUID()
  const [lived] = await shop.db.select().from(statusHistory).limit(1)
  await shop.db.execute(sql`
    insert into gift_cards select (jsonb_populate_record(gift_cards, ${JSON.stringify({
      id,
      status: 'completed',
      idempotency_key: null,
      unlisted_brand: random.chance(0.2),
      created_at: '2026-01-01T00:00:00Z',
    })}::jsonb)).* from gift_cards where id = ${lived?.giftCardId ?? null}`)
  const rows = randomHistory(random, id)
  if (random.chance(0.5)) await shop.db.insert(statusHistory).values(rows)
  else for (const row of rows) await shop.db.insert(statusHistory).values(row)

  await shop.db.execute(sql`
    insert into payouts (id, gift_card_id, seller_id, amount, payment_type, account_hint)
    select gen_random_uuid(), id, seller_id, selling_price, payment_type, '' from gift_cards where id = ${id}`)
  await shop.db.execute(sql`
    insert into inventory (gift_card_id, seller_id, brand, cost, entered_at)
    select id, seller_id, brand, selling_price, ${someTime(random)} from gift_cards where id = ${id}`)
  const paid = sql`state = 'paid', sent_at = ${someTime(random)}, paid_at = ${someTime(random)}`
  const steps = [
    sql`update payouts set ${paid} where gift_card_id = ${id}`,
    sql`update payouts set state = 'due', paid_at = null, returned_at = null where gift_card_id = ${id}`,
    sql`update payouts set state = 'returned', returned_at = ${someTime(random)} where gift_card_id = ${id}`,
    sql`update inventory set state = 'sold', proceeds = 1, sold_at = ${someTime(random)}, left_at = ${someTime(random)} where gift_card_id = ${id}`,
    sql`update inventory set state = 'bad', proceeds = null, sold_at = null, left_at = ${someTime(random)} where gift_card_id = ${id}`,
    sql`update inventory set state = 'in_stock', proceeds = null, sold_at = null, left_at = null where gift_card_id = ${id}`,
    sql`delete from inventory where gift_card_id = ${id}`,
  ]
  for (let step = 0; step < 6; step++) {
    // The state of a payout can only follow from some others, which the database does not check.
    await shop.db.execute(random.pick(steps)).catch(({ cause }) => expect(cause.code).toBe('23514'))
  }
}

const someTime = (random: Random) =>
  new Date(Date.UTC(2026, 0, 2 + random.below(5), random.below(24))).toISOString()

type HistoryRow = typeof statusHistory.$inferInsert

function randomHistory(random: Random, giftCardId: string): HistoryRow[] {
  const first: HistoryRow = {
    giftCardId,
    version: 1,
    fromStatus: null,
    toStatus: 'pending',
    byKind: 'seller',
    byId: seller.id,
    at: new Date(someTime(random)),
  }
  const rows = [first]
  for (let step = 0; step < 8; step++) {
    const last = rows.at(-1) ?? first
    const next = {
      giftCardId,
      version: last.version + 1,
      fromStatus: last.toStatus,
      at: new Date(someTime(random)),
    }
    const isUndone = last.byKind === 'staff' && last.move !== 'undo' && last.fromStatus && random.chance(0.3)
    if (isUndone && last.fromStatus) {
      rows.push({
        ...next,
        toStatus: last.fromStatus,
        move: 'undo',
        byKind: 'staff',
        byId: last.byId ?? null,
      })
      continue
    }
    const possible = moves.filter(({ from }) => from === last.toStatus)
    if (possible.length === 0) break
    const { to, name, by } = random.pick(possible)
    const byId = by === 'system' ? null : by === 'seller' ? seller.id : random.pick([staff.id, other.id])
    // Earlier versions did not name their moves.
    rows.push({ ...next, toStatus: to, move: random.chance(0.8) ? name : null, byKind: by, byId })
  }
  return rows
}

type Totals = Record<string, [count: number, amount: number]>

async function totalsOf(source: ReturnType<typeof sql>): Promise<Totals> {
  const { rows } = await shop.db.execute<
    Record<'measure' | 'day' | 'key' | 'bucket' | 'count' | 'amount', string>
  >(sql`
    select measure, day::text, key, bucket, sum(count) as count, sum(amount) as amount from ${source}
    group by measure, day, key, bucket having sum(count) <> 0 or sum(amount) <> 0 order by 1, 2, 3, 4`)
  return Object.fromEntries(
    rows.map(({ measure, day, key, bucket, count, amount }) => [
      `${measure} ${day} ${key} ${bucket}`,
      [Number(count), Number(amount)],
    ]),
  )
}

/** The totals as a reader of docs/decisions/0023-reports.md would count them. */
async function recounted(): Promise<Totals> {
  const totals: Totals = {}
  const add = (measure: string, at: Date, key: string, { bucket = 0, amount = 0, count = 1 } = {}) => {
    const name = `${measure} ${at.toISOString().slice(0, 10)} ${key} ${bucket}`
    const [before, sum] = totals[name] ?? [0, 0]
    totals[name] = [before + count, sum + amount]
  }
  const bucketOf = (from: Date, to: Date) =>
    Math.floor(Math.log(Math.max((to.getTime() - from.getTime()) / 1000, 1)) / Math.log(1.05))
  const cards = await shop.db.select().from(giftCards)
  const all = await shop.db.select().from(statusHistory).orderBy(statusHistory.version)
  for (const card of cards) {
    const brand = card.unlistedBrand ? '' : card.brand
    const history = all.filter(({ giftCardId }) => giftCardId === card.id)
    const isUndone = (at: number) => history[at + 1]?.move === 'undo'
    let decided = false
    for (const [at, entry] of history.entries()) {
      const previous = history[at - 1]
      const decision = decisionOf(entry)
      const [by, previousBy] = [entry, previous].map((one) => (one?.byKind === 'staff' ? one.byId : null))
      if (entry.fromStatus === null) {
        add('submitted', entry.at, '', { amount: card.denomination })
        add('quoted', entry.at, '', { amount: card.quotedPrice })
      }
      if (decision && !isUndone(at)) add(decision, entry.at, by ?? '')
      if (decision && !isUndone(at) && by && !decided) {
        add('decision_time', entry.at, by, { bucket: bucketOf(card.createdAt, entry.at) })
        decided = true
      }
      const isReverted =
        entry.fromStatus === 'rejected' && ['processing', 'completed'].includes(entry.toStatus)
      const isTakenBack = entry.move === 'undo' ? previous && decisionOf(previous) : isReverted
      if (isTakenBack && previousBy) add('taken_back', entry.at, previousBy)
    }
    for (const payout of await shop.db.select().from(payouts).where(eq(payouts.giftCardId, card.id))) {
      const { paidAt, returnedAt, amount, paymentType } = payout
      if (paidAt) add('paid', paidAt, paymentType, { amount })
      if (paidAt) add('payout_time', paidAt, '', { bucket: bucketOf(card.createdAt, paidAt) })
      if (returnedAt) add('returned', returnedAt, payout.returnCode ?? '', { amount })
    }
    const [item] = await shop.db.select().from(inventory).where(eq(inventory.giftCardId, card.id))
    if (!item) continue
    add('stock', item.enteredAt, brand, { amount: item.cost })
    if (item.leftAt) add('stock', item.leftAt, brand, { amount: -item.cost, count: -1 })
    if (item.soldAt) add('sold', item.soldAt, brand, { amount: item.proceeds ?? 0 })
    if (item.soldAt) add('cost_of_sales', item.soldAt, brand, { amount: item.cost })
    if (item.state === 'bad' && item.leftAt) add('bad', item.leftAt, brand, { amount: item.cost })
  }
  return Object.fromEntries(
    Object.entries(totals).filter(([, [count, amount]]) => count !== 0 || amount !== 0),
  )
}

function decisionOf({ move, fromStatus, toStatus }: HistoryRow): string | undefined {
  if (!fromStatus || move === 'undo') return undefined
  if (toStatus === 'rejected' || toStatus === 'offered') return toStatus
  const isApproved = ['processing', 'completed'].includes(toStatus)
  return isApproved && !['processing', 'completed', 'failed'].includes(fromStatus) ? 'approved' : undefined
}
