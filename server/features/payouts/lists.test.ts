import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_COUNTED } from '#domain/counting.ts'
import { referenceOf } from '#domain/reference.ts'
import { countStock, selectStock } from '#server/features/inventory/queries.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import type { TestDatabase } from '#test/database.ts'
import { createFilledDatabase } from '#test/filled.ts'
import { type Explained, explain } from '#test/plans.ts'
import { listBatches } from './batch-queries.ts'
import { listPayouts } from './queries.ts'

const limit = 25
let database: TestDatabase
let keys: KeyRing
/** A payout in the middle. */
let sample: {
  id: string
  gift_card_id: string
  number: number
  batch_id: string
  seller_id: string
  username: string
  email: string
}

beforeAll(async () => {
  const filled = await createFilledDatabase({ submissions: 6000, threads: 0 })
  database = filled
  keys = filled.keys
  const { rows } = await database.pool.query(`
    SELECT payouts.id, gift_card_id, number::int, batch_id, seller_id, username, email FROM payouts JOIN users ON users.id = seller_id
    WHERE payouts.state = 'paid' AND batch_id IS NOT NULL ORDER BY number OFFSET 1500 LIMIT 1`)
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
  // Each row with its submission, seller and batch, and the capped count: of a search, by each of its lookups.
  const PAGE = 26 * 7 + 250 + MAX_COUNTED + 1
  const filters: readonly [string, () => Partial<Parameters<typeof listPayouts>[2]>][] = [
    ['nothing', () => ({})],
    ['the next page', () => ({ cursor: sample.number })],
    ['what is due', () => ({ state: 'due' })],
    ['a state', () => ({ state: 'paid', cursor: sample.number })],
    ['a rare state', () => ({ state: 'returned' })],
    ['a rare state, without replaced payouts', () => ({ state: 'returned', replaced: 'false' })],
    ['a payment type', () => ({ paymentType: 'zelle', cursor: sample.number })],
    ['a state and a payment type', () => ({ state: 'returned', paymentType: 'venmo' })],
    ['a batch', () => ({ batchId: sample.batch_id })],
    ['a batch and a state', () => ({ batchId: sample.batch_id, state: 'returned' })],
    ['a username', () => ({ q: sample.username })],
    ['a username and a state', () => ({ q: sample.username, state: 'paid', cursor: sample.number + 1 })],
    ['a reference', () => ({ q: referenceOf(sample.gift_card_id) })],
    ['the id of a submission', () => ({ q: sample.gift_card_id })],
    ['an id', () => ({ q: sample.id })],
    ['an email address', () => ({ q: sample.email })],
    ['a confirmation number', () => ({ q: 'pp-7f3k' })],
    ['a short reference', () => ({ q: sample.id.slice(-4) })],
    ['a trace number', () => ({ q: `12345678${String(sample.number).padStart(7, '0')}` })],
    ["PayPal's id", () => ({ q: `payout-${sample.number}` })],
    ['the number of a payout', () => ({ q: `#${sample.number}` })],
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
        listPayouts({ db, keys, site: { payouts: { prenotes: true } } }, { role: 'owner' }, wanted),
      ),
      PAGE,
    )
  })

  it('batches', async () => {
    // What was paid is counted in an index, for each of 25 batches of at most 200.
    expectFew(await explain(database.pool, (db) => listBatches(db, { limit })), 26 * (30 + 200) + 100)
  })
})

describe('a page of the inventory and its total read only what they show:', () => {
  // Each row with its submission and seller, and the capped count, which reads each item of a search with its submission.
  const PAGE = 26 * 5 + 200 + 4 * (MAX_COUNTED + 1)
  const filters: readonly [string, () => Partial<Parameters<typeof selectStock>[2]>][] = [
    ['nothing', () => ({})],
    ['the next page', () => ({ cursor: sample.gift_card_id })],
    ['a state', () => ({ state: 'sold' })],
    ['a brand', () => ({ brand: 'garden_world' })],
    ['a state and a brand', () => ({ state: 'in_stock', brand: 'garden_world' })],
    ['a channel', () => ({ channel: 'Bulk buyer', cursor: sample.gift_card_id })],
    ['a username', () => ({ q: sample.username })],
    ['a brand, as text', () => ({ q: 'Amazon' })],
    ['a brand, as text, and a state', () => ({ q: 'Amazon', state: 'in_stock' })],
    ['a reference', () => ({ q: referenceOf(sample.gift_card_id) })],
    ['an id', () => ({ q: sample.gift_card_id })],
  ]

  it.each(filters)('%s', async (_, filter) => {
    const { pool } = database
    const wanted = { limit, channel: undefined, ...filter() }
    expectFew(await explain(pool, (db) => selectStock({ db, keys }, { role: 'owner' }, wanted)), PAGE)
    expectFew(await explain(pool, (db) => countStock({ db, keys }, { role: 'owner' }, wanted)), PAGE)
  })
})
