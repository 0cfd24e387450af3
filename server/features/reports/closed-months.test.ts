import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { post } from '#server/features/books/ledger.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submittedIn } from '#test/submissions.ts'

let shop: TestApp
let manager: Person
let card: string
beforeAll(async () => {
  shop = await createTestApp()
  manager = await shop.staff('mia', 'manager')
})
/** Each test has its own month, in order: closed months never open again. */
let month = '2025-12'
let nextMonth = '2026-01'
beforeEach(async () => {
  card = await submittedIn('completed', { seller: await shop.seller(), staff: manager })
  month = nextMonth
  nextMonth = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)))).toISOString().slice(0, 7)
})

const close = (which: string, by = manager) => by.post('/api/admin/ledger/closed-months', { month: which })
const change = (id: string, body: object) => manager.patch(`/api/admin/inventory/${id}`, body)
const sellOn = (soldAt: string) => change(card, { state: 'sold', proceeds: '95.00', soldAt })
const marginOf = async (which: string) => {
  const { json } = await manager.get(`/api/admin/reports/margin?from=${which}-01&to=${which}-28&by=month`)
  return json.reduce((sum: number, { cards }: { cards: number }) => sum + cards, 0)
}
const margins = () => Promise.all([marginOf(month), marginOf(nextMonth)])
const refusalOf = (statement: string) =>
  shop.pool.query(statement).then(
    () => 'accepted',
    (error) => error.constraint ?? error.message,
  )

it('is closed by managers, once, after it is over, and in the audit log', async () => {
  expect((await close(month)).json).toEqual({
    closedThrough: month,
    closedAt: expect.any(String),
    closedBy: 'mia',
  })
  const again = await close(month)
  expect([again.status, again.json]).toMatchObject([
    409,
    { code: 'month_closed', message: `The books are already closed through ${month}` },
  ])
  const { rows } = await shop.pool.query("select to_char(now(), 'YYYY-MM') as month")
  const thisMonth = await close(rows[0].month)
  expect(thisMonth.json.errors).toMatchObject([{ path: 'month', code: 'month_not_over' }])
  expect((await close(nextMonth, await shop.staff('rita', 'reviewer'))).json.code).toBe('not_permitted')
  const { json } = await (await shop.staff()).get('/api/admin/audit?action=ledger.month_closed')
  expect(json).toMatchObject([{ actor: 'mia', subject: month }])
})

it('also closes all earlier months, which cannot be closed one by one later', async () => {
  await close(nextMonth)
  expect((await close(month)).json.code).toBe('month_closed')
  expect((await sellOn(`${month}-05`)).json.bookedOn > `${nextMonth}-28`).toBe(true)
  month = nextMonth
  nextMonth = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)))).toISOString().slice(0, 7)
})

it('books what happened in it on the first open day, and keeps both dates', async () => {
  await close(month)
  const before = await margins()
  const { json } = await sellOn(`${month}-05`)
  expect(json).toMatchObject({ soldAt: `${month}-05T00:00:00.000Z`, bookedOn: `${nextMonth}-01` })
  expect(await margins()).toEqual([before[0], (before[1] ?? 0) + 1])
  const journal = async (which: string) =>
    (await manager.get(`/api/admin/reports/journal.csv?month=${which}`)).text
  expect(await journal(month)).not.toContain(referenceOf(card))
  expect(await journal(nextMonth)).toMatch(new RegExp(`${nextMonth}-01,.*Card sold.*${referenceOf(card)}`))
})

it('keeps a sale that is taken back after the closing', async () => {
  await sellOn(`${month}-05`)
  await close(month)
  const before = await margins()
  await change(card, { state: 'in_stock' })
  expect(await margins()).toEqual([before[0], (before[1] ?? 0) - 1])
})

it('cannot be changed in the database', async () => {
  await close(month)
  expect(await refusalOf('delete from closed_months')).toMatch('append-only')
  expect(await refusalOf("update closed_months set month = '2001-01-01'")).toMatch('append-only')
  const insert = (first: string) =>
    refusalOf(`insert into closed_months (month, closed_by) select ${first}, id from administrators limit 1`)
  expect(await insert(`'${month}-01'`)).toBe('closed_months_in_order')
  expect(await insert(`'${nextMonth}-02'`)).toBe('closed_months_month_check')
  expect(await insert("date_trunc('month', now())::date")).toBe('closed_months_over')
  const unrepeatable = transaction(
    shop.db,
    (tx) => post(tx, 'used', { cost: 1 }, { giftCardId: card }),
    'isolation level repeatable read',
  )
  await expect(unrepeatable).rejects.toThrow('entries are posted in READ COMMITTED')
})

describe('while entries are posted', () => {
  const postSale = (tx: Transaction) =>
    post(tx, 'used', { cost: 9300 }, { giftCardId: card, on: `${month}-05` })
  const bookedOn = async () => {
    const { rows } = await shop.pool.query(
      "select value_date::text as day from ledger_entries where gift_card_id = $1 and event = 'used'",
      [card],
    )
    return rows.map(({ day }) => day)
  }
  /** Resolves once a transaction waits for the lock of the closing. */
  const untilWaiting = async () => {
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBe(1)
  }

  it('the closing waits for an entry that came first', async () => {
    let closing: ReturnType<typeof close> | undefined
    await transaction(shop.db, async (tx) => {
      await postSale(tx)
      closing = close(month)
      await untilWaiting()
    })
    expect((await closing)?.status).toBe(200)
    expect(await bookedOn()).toEqual([`${month}-05`])
  })

  it('an entry that comes while the month closes is booked in the next', async () => {
    let posting: Promise<void> | undefined
    await transaction(shop.db, async (tx) => {
      await tx.execute(sql`
        insert into closed_months (month, closed_by) select ${`${month}-01`}::date, id from administrators limit 1`)
      posting = transaction(shop.db, postSale)
      await untilWaiting()
    })
    await posting
    expect(await bookedOn()).toEqual([`${nextMonth}-01`])
  })
})
