import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import { selectStock, sumStock } from '#server/features/inventory/queries.ts'
import { parseKeys } from '#server/platform/vault/key-ring.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { fillPayouts } from '#test/many-payouts.ts'
import { type Explained, explain } from '#test/plans.ts'
import { listBatches } from './batch-queries.ts'
import { listPayouts } from './queries.ts'

const keys = parseKeys(
  ['k1', 'index'].map((id) => `${id}:${randomBytes(32).toString('base64')}`),
  'the test',
)
const COUNT = 6000
const limit = 25
let database: TestDatabase
/** A payout in the middle. */
let sample: {
  id: string
  gift_card_id: string
  number: number
  batch_id: string
  seller_id: string
  username: string
}

beforeAll(async () => {
  database = await createTestDatabase()
  await fillPayouts(database.pool, COUNT)
  const { rows } = await database.pool.query(`
    SELECT payouts.id, gift_card_id, number::int, batch_id, seller_id, username FROM payouts JOIN users ON users.id = seller_id
    WHERE payouts.state = 'paid' ORDER BY number OFFSET ${COUNT / 2} LIMIT 1`)
  sample = rows[0]
  await database.pool.query(
    `UPDATE payouts SET amount = 432100, reference = 'PP-7F3K', account_hint = '•••• 5432', sent_at = '2026-01-05' WHERE id = $1`,
    [sample.id],
  )
  await database.pool.query('VACUUM (ANALYZE) payouts')
})

const MANY = ['payouts', 'gift_cards', 'transactions', 'users', 'inventory']

function expectFew(plans: readonly Explained[], most: number): void {
  expect(plans.flatMap(({ scanned }) => scanned).filter((table) => MANY.includes(table))).toEqual([])
  expect(plans.reduce((sum, { visited }) => sum + visited, 0)).toBeLessThan(most)
}

describe('a page of payouts and its total read only what they show:', () => {
  // Each row with its submission, seller and batch, and about 250 counts.
  const PAGE = 26 * 7 + 250
  const filters: readonly [string, () => Partial<Parameters<typeof listPayouts>[1]>][] = [
    ['nothing', () => ({})],
    ['the next page', () => ({ cursor: sample.number })],
    ['what is due', () => ({ state: 'due' })],
    ['a state', () => ({ state: 'paid', cursor: sample.number })],
    ['a rare state', () => ({ state: 'returned' })],
    ['a payment type', () => ({ paymentType: 'zelle', cursor: sample.number })],
    ['a state and a payment type', () => ({ state: 'returned', paymentType: 'venmo' })],
    ['a batch', () => ({ batchId: sample.batch_id })],
    ['a batch and a state', () => ({ batchId: sample.batch_id, state: 'returned' })],
    ['a username', () => ({ q: sample.username })],
    ['a username and a state', () => ({ q: sample.username, state: 'paid', cursor: sample.number + 1 })],
    ['a reference', () => ({ q: referenceOf(sample.gift_card_id) })],
    ['the id of a submission', () => ({ q: sample.gift_card_id })],
    ['an id', () => ({ q: sample.id })],
    ['an email address', () => ({ q: `${sample.seller_id}@example.org` })],
    ['a confirmation number', () => ({ q: 'pp-7f3k' })],
    ['a short reference', () => ({ q: sample.id.slice(-4) })],
    ['a trace number', () => ({ q: `12345678${String(sample.number).padStart(7, '0')}` })],
    ["PayPal's id", () => ({ q: `payout-${sample.number}` })],
    ['a bank account', () => ({ q: '021000021 98765432' })],
    ['the end of an account', () => ({ q: '5432' })],
    ['an amount, or the total of a batch', () => ({ q: '$4,321.00' })],
    ['the number of a batch', () => ({ q: 'Batch 1234' })],
    ['a day', () => ({ q: '2026-01-05' })],
    ['a text without matches', () => ({ q: 'zzzzzz' })],
  ]

  it.each(filters)('%s', async (_, filter) => {
    const wanted = { limit, ...filter() }
    expectFew(
      await explain(database.pool, (db) =>
        listPayouts({ db, keys, site: { payouts: { prenotes: true } } }, wanted),
      ),
      PAGE,
    )
  })

  it('batches', async () => {
    expectFew(await explain(database.pool, (db) => listBatches(db, { limit })), 26 * 30 + 100)
  })
})

describe('a page of the inventory and its totals read only what they show:', () => {
  // Each row with its submission and seller, and about 100 counts.
  const PAGE = 26 * 5 + 200
  const filters: readonly [string, () => Partial<Parameters<typeof selectStock>[1]>][] = [
    ['nothing', () => ({})],
    ['the next page', () => ({ cursor: sample.gift_card_id })],
    ['a state', () => ({ state: 'sold' })],
    ['a brand', () => ({ brand: 'rare' })],
    ['a state and a brand', () => ({ state: 'in_stock', brand: 'rare' })],
    ['a channel', () => ({ channel: 'eBay', cursor: sample.gift_card_id })],
    ['a username', () => ({ q: sample.username })],
    ['a brand, as text', () => ({ q: 'Amazon' })],
    ['a brand, as text, and a state', () => ({ q: 'Amazon', state: 'in_stock' })],
    ['a reference', () => ({ q: referenceOf(sample.gift_card_id) })],
    ['an id', () => ({ q: sample.gift_card_id })],
  ]

  it.each(filters)('%s', async (_, filter) => {
    const { pool } = database
    const wanted = { limit, channel: undefined, ...filter() }
    expectFew(await explain(pool, (db) => selectStock({ db, keys } as Context, wanted)), PAGE)
    expectFew(await explain(pool, (db) => sumStock({ db, keys } as Context, wanted)), PAGE)
  })
})

describe('the counts', () => {
  const counts: readonly [string, string, string][] = [
    [
      'of payouts',
      'SELECT batch_id, state, payment_type, count(*) FROM payouts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3',
      `SELECT batch_id, state, payment_type, sum(count) AS count FROM payout_counts
        GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3`,
    ],
    [
      'of the inventory',
      `SELECT state, brand, coalesce(channel, '') AS channel, count(*), sum(cost) AS cost,
        coalesce(sum(proceeds), 0) AS proceeds FROM inventory GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      `SELECT state, brand, channel, sum(count) AS count, sum(cost) AS cost, sum(proceeds) AS proceeds FROM stock_counts
        GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3`,
    ],
  ]

  it('stay correct while many rows change at once, some are rolled back, and counts are summed up', async () => {
    const { pool } = database
    const worker = async (at: number) => {
      for (let turn = 0; turn < 6; turn++) {
        const client = await pool.connect()
        const mine = `right(gift_card_id::text, 1) = '${at}' AND left(right(gift_card_id::text, 2), 1) = '${turn}'`
        await client.query(`
          BEGIN;
          UPDATE payouts SET state = 'returned', returned_at = now() WHERE state = 'paid' AND ${mine};
          UPDATE inventory SET state = 'sold', channel = 'Raise', proceeds = 1, sold_at = now(), left_at = now()
            WHERE state = 'in_stock' AND ${mine};
          DELETE FROM inventory WHERE state = 'listed' AND ${mine};
          SELECT sum_up_payout_counts(), sum_up_stock_counts();
          ${turn % 3 === 2 ? 'ROLLBACK' : 'COMMIT'}`)
        client.release()
      }
    }
    await Promise.all([1, 2, 3, 4].map(worker))
    for (const summedUp of [false, true]) {
      if (summedUp) await pool.query('SELECT sum_up_payout_counts(), sum_up_stock_counts()')
      for (const [what, real, kept] of counts) {
        expect([what, (await pool.query(kept)).rows]).toEqual([what, (await pool.query(real)).rows])
      }
    }
    const { rows } = await pool.query(
      'SELECT FROM payout_counts WHERE NOT summed UNION ALL SELECT FROM stock_counts WHERE NOT summed',
    )
    expect(rows).toEqual([])
  })
})
