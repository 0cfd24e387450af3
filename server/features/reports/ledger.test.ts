import { beforeAll, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { post, postUndone } from '#server/features/books/ledger.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submitted, submittedIn } from '#test/submissions.ts'

let shop: TestApp
let seller: Person
let staff: Person
let auditor: Person
let cards: string[]
/** The month in which the test runs, like 2026-11. */
let month: string

beforeAll(async () => {
  shop = await createTestApp()
  seller = await shop.seller('sam')
  staff = await shop.staff()
  auditor = await shop.staff('audrey', 'auditor')
  cards = [
    await submittedIn('completed', { seller, staff }),
    await submittedIn('processing', { seller, staff }, { paymentAccountName: '=Sam' }),
  ]
  await shop.pool.query(`update users set first_name = '=Sam' where username = 'sam'`)
  const { rows } = await shop.pool.query("select to_char(now(), 'YYYY-MM') as month")
  month = rows[0].month
})

/** Posts what happened on another day. */
async function postOn(
  day: string,
  work: (tx: Transaction, subject: { giftCardId: string; on: string }) => Promise<void>,
): Promise<void> {
  const giftCardId = await submitted(seller)
  await transaction(shop.db, (tx) => work(tx, { giftCardId, on: day }))
}

it('shows each account by day, week or month, with its balance at the end', async () => {
  const approve = (price: number) => (tx: Transaction, subject: { giftCardId: string; on: string }) =>
    post(tx, 'approved', { price }, subject)
  await postOn('2025-12-31', approve(100))
  await postOn('2026-01-05', approve(200))
  await postOn('2026-01-11', approve(400))
  await postOn('2026-01-12', async (tx, subject) => {
    await postUndone(tx, 'approved', { price: 50 }, subject)
    await post(tx, 'bad', { cost: 60, sellerId: seller.id }, subject)
    await post(tx, 'bad', { cost: 5, sellerId: subject.giftCardId }, subject)
  })
  const read = async (by: string) => {
    const { json } = await auditor.get(`/api/admin/ledger?from=2026-01-01&to=2026-01-31&by=${by}`)
    return json
      .filter(({ account }: { account: string }) => ['incoming', 'receivable'].includes(account))
      .map((row: Record<string, string>) => Object.values(row).join(' '))
  }
  expect(await read('day')).toEqual([
    '2026-01-05 incoming 2.00 0.00 3.00',
    '2026-01-11 incoming 4.00 0.00 7.00',
    '2026-01-12 incoming 0.00 0.50 6.50',
    '2026-01-12 receivable 0.65 0.00 0.65',
  ])
  expect(await read('week')).toEqual([
    '2026-01-05 incoming 6.00 0.00 7.00',
    '2026-01-12 incoming 0.00 0.50 6.50',
    '2026-01-12 receivable 0.65 0.00 0.65',
  ])
  expect(await read('month')).toEqual([
    '2026-01-01 incoming 6.00 0.50 6.50',
    '2026-01-01 receivable 0.65 0.00 0.65',
  ])
  expect((await auditor.get('/api/admin/ledger')).json.length).toBeGreaterThan(0)
  const wrong = await auditor.get('/api/admin/ledger?from=yesterday&by=year')
  expect(wrong.json.errors.map(({ code }: { code: string }) => code)).toEqual(['day_invalid', 'step_unknown'])
})

it('exports the journal of a month, entry by entry', async () => {
  const { text, headers, status } = await auditor.get(`/api/admin/reports/journal.csv?month=${month}`)
  expect([status, headers['content-disposition']]).toEqual([
    200,
    `attachment; filename="journal-${month}.csv"`,
  ])
  const [header, ...lines] = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(/,(?!"?\s)/))
  expect(header).toEqual(['date', 'entry', 'account', 'debit', 'credit', 'memo', 'reference'])
  const of = (id: string) =>
    lines.filter((line) => line.at(-1) === referenceOf(id)).map((line) => line.slice(2, -1).join(' '))
  expect(of(cards[0] ?? '')).toEqual([
    'incoming 93.00  "Card approved, seller sam"',
    'payouts_payable  93.00 "Card approved, seller sam"',
    'payouts_payable 93.00  "Payout paid, seller sam"',
    'cash:paypal  93.00 "Payout paid, seller sam"',
    'stock 93.00  "Card put into the stock, seller sam"',
    'incoming  93.00 "Card put into the stock, seller sam"',
  ])
  const january = await auditor.get('/api/admin/reports/journal.csv?month=2026-01')
  expect(january.text).toContain(`receivable:${seller.id},0.60,`)
  expect(january.text).toContain('Card approved: taken back')
  expect(january.text.split('\r\n')).toHaveLength(1 + 10 + 1)
})

it('exports what each seller was paid in a year', async () => {
  const other = await shop.seller('olga')
  await submittedIn('processing', { seller: other, staff })
  const year = month.slice(0, 4)
  const { text } = await auditor.get(`/api/admin/reports/sellers.csv?year=${year}`)
  expect(text.split('\r\n')).toEqual([
    'sellerId,username,name,paidCount,paidTotal,returned,receivable',
    `${seller.id},sam,'=Sam Seller,1,93.00,0.00,0.60`,
    '',
  ])
  expect((await auditor.get('/api/admin/reports/sellers.csv?year=2001')).text.split('\r\n')).toHaveLength(2)
})

it('records each export', async () => {
  const { json } = await staff.get('/api/admin/audit?action=report.exported')
  expect(
    json.map(({ subject, details }: { subject: string; details: object }) => [subject, details]),
  ).toEqual([
    ['sellers', { year: 2001 }],
    ['sellers', { year: Number(month.slice(0, 4)) }],
    ['journal', { month: '2026-01' }],
    ['journal', { month }],
  ])
})
