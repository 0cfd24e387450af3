import { listStaffCards } from '#server/features/submissions/desk/queries.ts'
import { findCard } from '#server/features/submissions/queries.ts'
import { cardNumberIndex, openSecrets } from '#server/features/submissions/secrets.ts'
import { createDatabase } from '#server/platform/database/pool.ts'
import { SELLER_PASSWORD } from '#test/people.ts'
import { statementsOf } from '#test/plans.ts'
import type { Call } from './measure/load.ts'
import type { Limit, Stage } from './stage.ts'

/** An operation, and its limit: the same work done by the simplest possible code. */
export interface Row {
  readonly name: string
  /** The minimum share of the limit's speed; undefined if the row only explains another one. */
  readonly goal?: number
  readonly total: number
  readonly connections?: number
  readonly product: (turn: number) => Call
  readonly limit: { readonly url: string; readonly call: (turn: number) => Call }
}

const LIST = '/api/admin/submissions'

/** Texts to search for, from a submission in the middle of the list. */
export async function searchedTexts({ pool, keys }: Stage): Promise<Readonly<Record<string, string>>> {
  const { rows } =
    await pool.query(`SELECT gift_cards.id, username, email, card_number_last_four AS "lastFour"
    FROM gift_cards JOIN users ON users.id = seller_id
    WHERE data_key IS NOT NULL
    ORDER BY gift_cards.id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM gift_cards WHERE data_key IS NOT NULL)`)
  const { id, username, email, lastFour } = rows[0]
  const card = await findCard(createDatabase(pool), id)
  const number = card && openSecrets(keys, card, ['cardNumber']).cardNumber
  if (!number) throw new Error('The submission to search for has no number')
  return { 'whole number': number, 'last four': lastFour, email, username, id, amount: '$123.45' }
}

/** The server's SQL statements for each address, which the bare process sends too. */
export async function recordStatements({ pool, keys }: Stage, filters: readonly Record<string, string>[]) {
  const recorded = filters.map(async (filter) => {
    const numberIndex = filter.q && cardNumberIndex(keys, filter.q)
    const asked = { limit: 25, role: 'owner', ...filter, ...(numberIndex && { numberIndex }) }
    const sent = await statementsOf(pool, (db) => listStaffCards(db, asked as never))
    return [listPath(filter), sent] as const
  })
  return Object.fromEntries(await Promise.all(recorded))
}

export const LISTED = { status: 'completed', brand: 'amazon' }

export function listPath(filter: Readonly<Record<string, string>>): string {
  return `${LIST}?${new URLSearchParams({ limit: '25', ...filter })}`
}

export function listRow(
  stage: Stage,
  limit: Limit,
  name: string,
  goal: number,
  filter: Record<string, string>,
): Row {
  const headers = stage.staff
  const path = listPath(filter)
  return {
    name,
    goal,
    total: 250,
    product: () => ({ path, headers }),
    limit: { url: limit.url, call: () => ({ path: `/limit${path}`, headers }) },
  }
}

export function bareRows(limit: Limit, etag: string): Row[] {
  const get =
    (path: string, more: Partial<Call> = {}) =>
    () => ({ path, ...more })
  return [
    {
      name: 'GET /healthz',
      goal: 0.85,
      total: 2000,
      product: get('/healthz'),
      limit: { url: limit.constantUrl, call: get('/healthz') },
    },
    {
      name: 'GET /api/brands',
      goal: 0.8,
      total: 2000,
      product: get('/api/brands'),
      limit: { url: limit.constantUrl, call: get('/brands') },
    },
    {
      name: 'GET /api/brands, known by its ETag',
      goal: 0.8,
      total: 2000,
      product: get('/api/brands', { headers: { 'if-none-match': etag }, status: 304 }),
      limit: { url: limit.constantUrl, call: get('/brands') },
    },
  ]
}

/**
 * Completed submissions that can be moved back and forth: paid by hand, with cards that are in stock and were bought once. Another
 * one is a risk, which somebody has to acknowledge first.
 */
export const MOVABLE = `status = 'completed' AND id IN (
  SELECT gift_card_id FROM payouts JOIN inventory USING (gift_card_id)
  WHERE payouts.state = 'paid' AND by_hand AND inventory.state IN ('in_stock', 'listed')
) AND card_number_index NOT IN (
  SELECT card_number_index FROM gift_cards WHERE card_number_index IS NOT NULL GROUP BY 1 HAVING count(*) > 1
)`

/**
 * Moves submissions back and forth. The first row compares a move with a single bare update, the second with writing all
 * of its rows by hand. What remains in the second is the server's own code and the mail.
 */
export async function moveRows({ pool, staff }: Stage, limit: Limit): Promise<[bare: Row, whole: Row]> {
  const { rows } = await pool.query(
    `SELECT id, version FROM gift_cards WHERE ${MOVABLE} ORDER BY id LIMIT 400`,
  )
  const third = Math.floor(rows.length / 3)
  const part = (from: number) => backAndForth(rows.slice(from * third, (from + 1) * third))
  const [mine, bare, whole] = [part(0), part(1), part(2)]
  const product = () => moveCall({ staff }, mine())
  const limitOf = (next: typeof mine, how: string) => () => {
    const { id, status } = next()
    return { path: `/move/${id}/${status}/${how}`, headers: staff }
  }
  const row = { total: 100, connections: 4, product }
  return [
    { ...row, name: 'status move', limit: { url: limit.url, call: limitOf(bare, 'bare') } },
    {
      ...row,
      name: 'status move, beside the same rows written by hand',
      goal: 0.5,
      limit: { url: limit.url, call: limitOf(whole, 'whole') },
    },
  ]
}

/** A move of a submission by staff. */
export function moveCall(
  { staff }: Pick<Stage, 'staff'>,
  { id, ...move }: ReturnType<ReturnType<typeof backAndForth>>,
) {
  const headers = { ...staff, 'content-type': 'application/json' }
  return { method: 'PATCH', path: `${LIST}/${id}/status`, headers, body: JSON.stringify(move) }
}

interface VersionedCard {
  readonly id: string
  readonly version: number
}

/** Moves completed submissions to processing, and back in the next round. */
export function backAndForth(
  cards: readonly VersionedCard[],
): () => { id: string | undefined; status: string; version: number } {
  let moved = 0
  return () => {
    const turn = moved++
    const round = Math.floor(turn / cards.length)
    const card = cards[turn % cards.length]
    const status = round % 2 === 0 ? 'processing' : 'completed'
    return { id: card?.id, status, version: (card?.version ?? 0) + round }
  }
}

/** Sellers sign in one after the other. */
export async function signInCalls({ pool }: Stage, sellers: number): Promise<Row['product']> {
  const { rows } = await pool.query('SELECT email FROM users ORDER BY id LIMIT $1', [sellers])
  return (turn) => ({
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: rows[turn % rows.length].email, password: SELLER_PASSWORD }),
  })
}

/** Sellers sign in; the bare process only hashes. */
export async function signInRow(stage: Stage, limit: Limit): Promise<Row> {
  return {
    name: 'sign-in',
    goal: 1 / 1.3,
    total: 30,
    product: await signInCalls(stage, 200),
    limit: { url: limit.url, call: () => ({ path: '/hash' }) },
  }
}
