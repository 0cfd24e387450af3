import { beforeAll, expect, it } from 'vitest'
import { findMove } from '#domain/submission.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { createFilledDatabase } from '#test/filled.ts'
import { Random } from '#test/random.ts'
import { generateSellers } from './people.ts'
import { generateSubmissions } from './submissions.ts'
import { generateThreads } from './threads.ts'
import { twoYears } from './timeline.ts'

const SIZE = { submissions: 600, users: 120, threads: 60 }
let filled: Awaited<ReturnType<typeof createFilledDatabase>>
const ask = async (sql: string) => (await filled.pool.query(sql)).rows

beforeAll(async () => {
  filled = await createFilledDatabase(SIZE)
})

it('is the same for the same seed and different for another seed', () => {
  const timeline = twoYears(Date.UTC(2026, 0, 1))
  const generated = (seed: number) => {
    const random = new Random(seed)
    const sellers = generateSellers(5, { random, timeline, passwordHash: '!' })
    const options = { random, timeline, keys: filled.keys, sellers, staffIds: ['a', 'b'] }
    const submissions = [...generateSubmissions(9, options)].map(({ card, transaction, history, item }) => ({
      index: card.cardNumberIndex,
      id: card.id,
      status: card.status,
      transaction,
      item,
      // Sealing is random; the length shows that it is the same text.
      history: history.map((entry) => ({ ...entry, sealedReason: entry.sealedReason?.length })),
    }))
    return { sellers, submissions, threads: [...generateThreads(9, options)] }
  }
  expect(generated(1)).toEqual(generated(1))
  expect(generated(1).submissions).not.toEqual(generated(2).submissions)
})

it('has the requested numbers, with realistic shares', async () => {
  const [counts] = await ask(`SELECT (SELECT count(*)::integer FROM gift_cards) AS submissions,
    (SELECT count(*)::integer FROM users) AS users, (SELECT count(*)::integer FROM chat_threads) AS threads`)
  expect(counts).toEqual(SIZE)
  const shares = await ask('SELECT status, count(*) / 6.0 AS share FROM gift_cards GROUP BY status')
  const share = Object.fromEntries(shares.map((row) => [row.status, Math.round(row.share)]))
  expect(share).toEqual({
    completed: expect.closeTo(70, -1),
    rejected: expect.closeTo(12, -1),
    pending: expect.closeTo(10, -1),
    processing: expect.closeTo(5, -1),
    failed: expect.closeTo(3, -1),
  })
})

it('reaches each status by allowed moves, in order', async () => {
  const steps = await ask(`SELECT from_status, to_status, by_kind,
      lag(to_status) OVER submission AS before, coalesce(at >= lag(at) OVER submission, true) AS later
    FROM status_history WINDOW submission AS (PARTITION BY gift_card_id ORDER BY version)`)
  for (const { from_status, to_status, by_kind, before, later } of steps) {
    expect([from_status, later]).toEqual([before, true])
    if (from_status) expect(findMove(from_status, to_status, by_kind)).toBeDefined()
  }
  const wrong = await ask(`SELECT id FROM gift_cards JOIN status_history USING (version)
    WHERE id = gift_card_id AND (status <> to_status OR updated_at <> at)
      OR id = gift_card_id AND (status IN ('rejected', 'failed')) <> (reason_code IS NOT NULL) AND status <> 'pending'`)
  expect(wrong).toEqual([])
})

it('has one transaction per submission, with the buyer who completed it, and counts trades', async () => {
  const wrong =
    await ask(`SELECT gift_cards.id FROM gift_cards LEFT JOIN transactions ON gift_card_id = gift_cards.id
    WHERE amount IS DISTINCT FROM selling_price OR transactions.seller_id <> gift_cards.seller_id
      OR (status = 'completed') <> (buyer_id IS NOT NULL)`)
  expect(wrong).toEqual([])
  const miscounted = await ask(`SELECT id FROM users WHERE trade_count <>
    (SELECT count(*) FROM gift_cards WHERE seller_id = users.id AND status = 'completed')`)
  expect(miscounted).toEqual([])
})

it('has books that agree with the submissions, in every state', async () => {
  expect((await verifyLedger(filled.db)).problems).toEqual([])
  const statesOf = async (table: string) =>
    (await ask(`SELECT DISTINCT state FROM ${table} ORDER BY state`)).map(({ state }) => state)
  expect(await statesOf('payouts')).toEqual(['batched', 'due', 'exported', 'paid', 'returned', 'void'])
  expect(await statesOf('payout_batches')).toEqual(['exported', 'frozen', 'open', 'settled'])
  expect(await statesOf('inventory')).toEqual(['bad', 'in_stock', 'listed', 'sold', 'used'])
})

it('has threads whose rows match their messages', async () => {
  const wrong = await ask(`SELECT id FROM chat_threads WHERE last_message_number <>
      (SELECT coalesce(max(number), 0) FROM chat_messages WHERE thread_id = chat_threads.id)
    OR staff_unread <>
      (SELECT count(*) FROM chat_messages WHERE thread_id = chat_threads.id AND number > staff_read_number)
    OR (unanswered_number IS NULL) <>
      coalesce((SELECT is_admin_reply FROM chat_messages WHERE number = last_message_number), true)`)
  expect(wrong).toEqual([])
})

it('cannot be generated twice with the same seed', async () => {
  await expect(filled.fillAgain()).rejects.toThrow(
    'This database already contains the generated data of this seed',
  )
})
