import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { moves } from '#domain/submission.ts'
import { sumUpLedger } from '#server/features/books/ledger.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { statusHistory } from '#server/platform/database/schema.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { cardColumns } from '#test/card-columns.ts'
import type { Person } from '#test/person.ts'
import { Random } from '#test/random.ts'
import { moveAnyway, submitted, submittedIn } from '#test/submissions.ts'
import { readLedger } from './ledger.ts'
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
  expect(await report('payout_time')).toEqual([
    { period, payouts: 1, median: expect.any(Number), percentile90: expect.any(Number) },
  ])
  expect(await report('paid_out')).toEqual([{ period, paymentType: 'paypal', payouts: 1, amount: '93.00' }])
  expect(await report('owed')).toEqual([
    { paymentType: 'paypal', age: 'under_1_day', payouts: 2, amount: '186.00' },
  ])
  expect(await report('stock')).toEqual([{ period, brand: 'amazon', cards: 1, cost: '93.00' }])
  const median = expect.any(Number)
  expect(await report('reviewers')).toEqual([
    { reviewer: 'admin', decisions: 3, approved: 3, rejected: 0, offered: 0, takenBack: 1, median },
    { reviewer: 'ana', decisions: 2, approved: 0, rejected: 1, offered: 1, takenBack: 1, median },
  ])
})

it('counts paid cards by what happened to them', async () => {
  const [sold, bad, reverted, returned] = await Promise.all(
    [1, 2, 3, 4].map(() => submittedIn('completed', { seller, staff })),
  )
  const change = (id: string | undefined, body: object) => staff.patch(`/api/admin/inventory/${id}`, body)
  await change(sold, { state: 'sold', proceeds: '90.00', soldAt: '2026-03-05' })
  const before = await report('losses')
  await change(bad, { state: 'bad' })
  await staff.post(`/api/admin/inventory/${bad}/write-off`, { amount: '13.00' })
  const { json } = await staff.get(`/api/admin/submissions/${reverted}`)
  await moveAnyway(staff, reverted ?? '', { status: 'processing', version: json.version })
  await shop.db.execute(sql`
    update payouts set state = 'returned', returned_at = '2026-03-05T12:00:00Z', return_code = 'R03' where gift_card_id = ${returned}`)

  const march = 'from=2026-02-20&to=2026-03-20&by=month'
  const period = '2026-03-01'
  expect(await report('margin', march)).toEqual([
    { period, brand: 'amazon', cards: 1, cost: '93.00', proceeds: '90.00', margin: '-3.00' },
  ])
  expect(before).toEqual([{ period: today(), badCards: 0, badCost: '0.00', writtenOff: '0.00' }])
  expect(await report('losses')).toEqual([
    { period: today(), badCards: 1, badCost: '93.00', writtenOff: '13.00' },
  ])
  expect(await report('returns', march)).toEqual([{ period, code: 'R03', payouts: 1, amount: '93.00' }])
  await shop.pool.query(
    "update payouts set return_code = null, return_reason = 'The account is closed' where state = 'returned'",
  )
  expect(await report('returns', march)).toMatchObject([{ code: 'The account is closed', payouts: 1 }])
  const csv = await staff.get(`/api/admin/reports/margin.csv?${march}`)
  expect(csv.text).toBe(
    'period,brand,cards,cost,proceeds,margin\r\n2026-03-01,amazon,1,93.00,90.00,-3.00\r\n',
  )
  const log = await staff.get('/api/admin/audit?action=report.exported')
  expect(log.json[0]).toMatchObject({ subject: 'margin', details: { from: '2026-02-20', by: 'month' } })
})

it('has the stock at the end of each period, also of those in which nothing changed', async () => {
  const [row, ...others] = await report('stock')
  expect([row, others]).toEqual([expect.objectContaining({ period: today() }), []])
  const days = ['2098-12-31', '2099-01-01']
  const later = await report('stock', `from=${days[0]}&to=${days[1]}`)
  expect(later).toEqual(days.map((period) => ({ ...row, period })))
  const month = await report('stock', `from=${days[0]}&to=${days[0]}&by=month`)
  expect(month).toEqual([{ ...row, period: '2098-12-01' }])
  expect(await report('stock', 'from=2026-01-01&to=2026-01-02')).toEqual([])
})

it('counts a payment, and a payment that was reverted, like the ledger', async () => {
  const [row] = await report('paid_out')
  const id = await submittedIn('completed', { seller, staff })
  const paid = { ...row, payouts: row.payouts + 1, amount: (Number(row.amount) + 93).toFixed(2) }
  expect(await report('paid_out')).toEqual([paid])
  const { json } = await staff.get(`/api/admin/submissions/${id}`)
  await moveAnyway(staff, id, { status: 'processing', version: json.version })
  expect(await report('paid_out')).toEqual([row])
  const query = `from=${today()}&to=${today()}&by=month`
  const { debit, credit } = (await staff.get(`/api/admin/ledger?${query}`)).json.find(
    ({ account }: { account: string }) => account === 'cash:paypal',
  )
  expect(Number(credit) - Number(debit)).toBe(Number(row.amount))
})

it('reads the same before and after the entries are summed up', async () => {
  const names = ['paid_out', 'stock', 'margin', 'losses'] as const
  const range = { from: '2026-01-01', to: today(), by: 'month' } as const
  const read = async () => [
    ...(await Promise.all(names.map((name) => readReport(shop, name, range)))),
    await readLedger(shop.context, range),
  ]
  const before = await read()
  await sumUpLedger(shop.db)
  expect(await shop.db.execute(sql`select from ledger_days`)).toHaveProperty('rowCount', 0)
  for (let time = 0; time < 2; time++) {
    await shop.db.execute(sql`select sum_up_ledger(now() + interval '1 hour')`)
    expect(await read()).toEqual(before)
  }
  const id = await submittedIn('completed', { seller, staff })
  await staff.patch(`/api/admin/inventory/${id}`, { state: 'sold', proceeds: '90.00', soldAt: '2026-03-05' })
  const after = await read()
  expect(after).not.toEqual(before)
  await shop.db.execute(sql`select sum_up_ledger(now() + interval '1 hour')`)
  expect(await read()).toEqual(after)
})

describe('in a shop in New York', () => {
  let east: TestApp
  let manager: Person
  let maker: Person
  beforeAll(async () => {
    east = await createTestApp({ site: { timeZone: 'America/New_York' } })
    manager = await east.staff()
    maker = await east.seller()
  })
  const read = async (path: string) => (await manager.get(`/api/admin/reports/${path}`)).json
  const inStock = () => submittedIn('completed', { seller: maker, staff: manager })
  const sell = async (card: string, soldAt: string) => {
    const { json } = await manager.patch(`/api/admin/inventory/${card}`, {
      state: 'sold',
      proceeds: 95,
      soldAt,
    })
    return { soldAt: json.soldAt, bookedOn: json.bookedOn }
  }
  const undo = (card: string) => manager.patch(`/api/admin/inventory/${card}`, { state: 'in_stock' })
  const spring = 'from=2026-01-01&to=2026-04-30&by=month'
  const periodsIn = async (path: string) => (await read(path)).map(({ period }: { period: string }) => period)

  it.each([
    ['2026-03-01', '2026-03-01T05:00:00.000Z', '2026-03-01'],
    ['2026-03-01T04:59:00Z', '2026-03-01T04:59:00.000Z', '2026-02-28'],
    ['2026-03-31T23:00:00-04:00', '2026-04-01T03:00:00.000Z', '2026-03-31'],
  ])('a sale of %s is in one month of the margin, the journal and the ledger', async (given, soldAt, day) => {
    const card = await inStock()
    expect(await sell(card, given)).toEqual({ soldAt, bookedOn: day })
    const month = day.slice(0, 7)
    expect(await periodsIn(`margin?${spring}`)).toEqual([`${month}-01`])
    const journal = await manager.get(`/api/admin/reports/journal.csv?month=${month}`)
    const lines = journal.text.split('\r\n').filter((line) => line.endsWith(referenceOf(card)))
    expect(new Set(lines.map((line) => line.slice(0, 10)))).toEqual(new Set([day]))
    // A sale that never was leaves the month.
    await undo(card)
    expect(await periodsIn(`margin?${spring}`)).toEqual([])
    const { json } = await manager.get(`/api/admin/ledger?${spring}`)
    const proceeds = json.find(
      (row: Record<string, string>) => row.account === 'proceeds' && row.period === `${month}-01`,
    )
    expect([proceeds.debit === proceeds.credit, proceeds.balance]).toEqual([true, '0.00'])
  })

  it('days begin at midnight there', async () => {
    const card = await inStock()
    await east.pool.query("update gift_cards set created_at = '2026-03-01T04:59:00Z' where id = $1", [card])
    const days = await read('volume?from=2026-02-28&to=2026-03-01')
    expect(days.map(({ submissions }: { submissions: number }) => submissions)).toEqual([1, 0])
    const { rows } = await east.pool.query('select now()::date::text as today')
    expect((await read('volume')).at(-1).period).toBe(rows[0].today)
  })

  it('an entry keeps its day if the shop moves to another time zone', async () => {
    const card = await inStock()
    await sell(card, '2026-03-01T04:59:00Z')
    const west = createPool({ connection: east.url, timeZone: 'Asia/Tokyo', onError: () => undefined })
    const rows = await readReport({ db: createDatabase(west) }, 'margin', {
      from: '2026-02-28',
      to: '2026-02-28',
      by: 'day',
    })
    expect(rows).toHaveLength(1)
    await west.end()
    await undo(card)
    expect(await periodsIn(`margin?${spring}`)).toEqual([])
  })
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

it('agrees with the history after random moves', async () => {
  const random = new Random(7)
  for (let card = 0; card < 40; card++) await liveRandomly(random)
  const range = 'from=2026-01-02&to=2026-01-06'
  const expected = await recounted()
  expect(await report('approval_rate', range)).toEqual(
    expected.map(({ period, approved, rejected }) => expect.objectContaining({ period, approved, rejected })),
  )
  expect(await report('decision_time', range)).toEqual(
    expected.map(({ period, times }) => ({
      period,
      decisions: times.length,
      median: times.at(Math.ceil(times.length / 2) - 1) ?? null,
      percentile90: times.at(Math.ceil(times.length * 0.9) - 1) ?? null,
    })),
  )
  for (const row of await report('reviewers', range)) {
    const { id } = row.reviewer === 'ana' ? other : staff
    const of = (decision: string) =>
      expected.flatMap(({ decided }) => decided).filter((one) => one === `${decision} ${id}`).length
    expect(row).toMatchObject({
      approved: of('approved'),
      rejected: of('rejected'),
      offered: of('offered'),
      takenBack: of('taken back'),
    })
  }
})

/** Inserts a card with a random history over some days. */
async function liveRandomly(random: Random): Promise<void> {
  const id = randomUUID()
  const [lived] = await shop.db.select().from(statusHistory).limit(1)
  const columns = sql.raw(cardColumns)
  await shop.db.execute(sql`
    insert into gift_cards (${columns}) select ${columns} from (select (jsonb_populate_record(gift_cards, ${JSON.stringify(
      {
        id,
        status: 'completed',
        idempotency_key: null,
        created_at: '2026-01-01T00:00:00Z',
      },
    )}::jsonb)).* from gift_cards where id = ${lived?.giftCardId ?? null}) as copies`)
  await shop.db.insert(statusHistory).values(randomHistory(random, id))
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

/** What a reader of docs/decisions/0023-reports.md would count on each day. */
async function recounted() {
  const days = ['02', '03', '04', '05', '06'].map((day) => ({
    period: `2026-01-${day}`,
    approved: 0,
    rejected: 0,
    /** Like "approved" and the id of who decided. */
    decided: [] as string[],
    /** Seconds until the first decision. */
    times: [] as number[],
  }))
  const all = await shop.db.select().from(statusHistory).orderBy(statusHistory.version)
  for (const history of Map.groupBy(all, ({ giftCardId }) => giftCardId).values()) {
    let isDecided = false
    for (const [index, entry] of history.entries()) {
      const day = days.find(({ period }) => period === entry.at.toISOString().slice(0, 10))
      if (!day) continue
      const previous = history[index - 1]
      const decision = history[index + 1]?.move === 'undo' ? undefined : decisionOf(entry)
      const isStaff = entry.byKind === 'staff'
      if (decision === 'approved' || decision === 'rejected') day[decision]++
      if (decision && isStaff) day.decided.push(`${decision} ${entry.byId}`)
      if (decision && isStaff && !isDecided) {
        day.times.push(Math.round((entry.at.getTime() - Date.UTC(2026, 0, 1)) / 1000))
        isDecided = true
      }
      const isReverted =
        entry.fromStatus === 'rejected' && ['processing', 'completed'].includes(entry.toStatus)
      const isTakenBack = entry.move === 'undo' ? previous && decisionOf(previous) : isReverted
      if (isTakenBack && previous?.byKind === 'staff') day.decided.push(`taken back ${previous.byId}`)
    }
  }
  for (const { times } of days) times.sort((one, next) => one - next)
  return days
}

function decisionOf({ move, fromStatus, toStatus }: HistoryRow): string | undefined {
  if (!fromStatus || move === 'undo') return undefined
  if (toStatus === 'rejected' || toStatus === 'offered') return toStatus
  const isApproved = ['processing', 'completed'].includes(toStatus)
  return isApproved && !['processing', 'completed', 'failed'].includes(fromStatus) ? 'approved' : undefined
}
