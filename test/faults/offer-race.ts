import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import type { HistoryEntry } from '#contract/submissions.ts'
import { parseDollars } from '#domain/money.ts'
import type { MoveName } from '#domain/submission.ts'
import { expireOffers } from '#server/features/submissions/expire.ts'
import type { TestApp } from '#test/app.ts'
import type { Person } from '#test/person.ts'
import { submittedIn } from '#test/submissions.ts'

/**
 * Accepts, declines, withdraws, completes, rescinds and expires one offer at once.
 * @param lapsed whether the time of the offer is over, so that it cannot be accepted
 * @returns the move that won. Fails if there are several, or if history, price and payout do not agree.
 */
export async function raceOffer(
  { context, pool }: TestApp,
  people: { seller: Person; staff: Person },
  lapsed: boolean,
): Promise<MoveName> {
  const { seller, staff } = people
  const id = await submittedIn('offered', people)
  if (lapsed) {
    await pool.query(`UPDATE gift_cards SET offer_expires_at = now() - interval '1 second' WHERE id = $1`, [
      id,
    ])
  }
  const own = `/api/user/gift-cards/${id}`
  const desk = `/api/admin/submissions/${id}`
  const calls = [
    () => seller.post(`${own}/accept`, { amount: '74.40' }),
    () => seller.post(`${own}/decline`),
    () => seller.post(`${own}/withdraw`),
    () => staff.patch(`${desk}/status`, { status: 'pending' }),
    () => staff.patch(`${desk}/status`, { status: 'completed' }),
    async () => ({ status: (await expireOffers(context, new AbortController().signal)) ? 200 : 409 }),
  ]
  const order = calls.map((call) => ({ call, place: randomInt(1000) })).sort((a, b) => a.place - b.place)
  const answers = await Promise.all(order.map(({ call }) => call()))
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])

  const card = (await staff.get(desk)).json
  const history: HistoryEntry[] = (await staff.get(`${desk}/history`)).json
  expect(history).toHaveLength(card.version)
  // Every 200 is an entry: what follows the winner, such as completing an accepted card, is a move too.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(history.length - 2)
  expect(history.at(-1)?.to).toBe(card.status)
  const ends = history.filter(({ from }) => from === 'offered')
  expect(ends).toHaveLength(1)
  const winner = ends[0]?.move as MoveName
  if (lapsed) expect(winner).not.toBe('accept')
  const price = winner === 'accept' ? '74.40' : '93.00'
  expect(card.sellingPrice).toBe(price)
  const { rows } = await pool.query('SELECT amount FROM transactions WHERE gift_card_id = $1', [id])
  expect(Number(rows[0].amount)).toBe(parseDollars(price))
  return winner
}
