import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '#contract/values.ts'
import { cardCharactersProblem, normalizeCardNumber } from '#domain/card-number.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import { accountReasons } from '#domain/failure.ts'
import { parseDollars } from '#domain/money.ts'
import { viewRules } from '#domain/queue.ts'
import { endOfReference, referenceOf } from '#domain/reference.ts'
import { likePattern } from '#server/platform/database/queries.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import type { TestDatabase } from '#test/database.ts'
import { createFilledDatabase } from '#test/filled.ts'
import { type Explained, explain } from '#test/plans.ts'
import { findCard } from '../queries.ts'
import { cardNumberIndex, openSecrets } from '../secrets.ts'
import { findStaffCard, listStaffCards } from './queries.ts'
import type { StaffFilter } from './search.ts'
import { listTransactions } from './transactions.ts'

const CARDS = 6000
/** Rows that the total of a list reads. */
const COUNTED = MAX_COUNTED + 1
/** Smaller than the id of every submission. */
const FIRST_ID = '00000000-0000-7000-8000-000000000000'
let database: TestDatabase
let keys: KeyRing
/** A submission in the middle of the list. */
let number: string
let ana: string
let sample: { id: string; email: string; username: string; last_four: string }

beforeAll(async () => {
  const filled = await createFilledDatabase({ submissions: CARDS, users: 4000, threads: 0 })
  database = filled
  keys = filled.keys
  const { pool } = database
  // A renamed brand, and cleared submissions.
  await pool.query(
    `UPDATE gift_cards SET brand_name = 'Amazon Prime' WHERE brand = 'amazon' AND id::text < '019b'`,
  )
  await pool.query(`UPDATE gift_cards SET cleared_at = now() WHERE status = 'failed' AND brand = 'steam'`)
  // Every fortieth open submission is claimed. Of the claims, a third are Ana's and a third have expired.
  await pool.query(`
    INSERT INTO claims (gift_card_id, administrator_id, since, until)
    SELECT id, (SELECT id FROM administrators ORDER BY id OFFSET number / 40 % 3 LIMIT 1), now(),
      now() + CASE WHEN number / 40 % 3 = 2 THEN interval '-1 second' ELSE interval '1 hour' END
    FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS number FROM gift_cards WHERE status IN ('pending', 'processing')
    ) AS open_ones WHERE number % 40 = 0`)
  await pool.query('VACUUM (ANALYZE) gift_cards, claims')
  ana = (await pool.query('SELECT id FROM administrators ORDER BY id LIMIT 1')).rows[0].id
  const { rows } = await pool.query(`
    SELECT gift_cards.id, email, username, card_number_last_four AS last_four
    FROM gift_cards JOIN users ON users.id = seller_id WHERE cleared_at IS NULL ORDER BY gift_cards.id OFFSET 2700 LIMIT 1`)
  sample = rows[0]
  const card = await findCard(database.db, sample.id)
  number = (card && openSecrets(keys, card, ['cardNumber']).cardNumber) ?? ''
})

type Asked = Omit<StaffFilter, 'role'> & Partial<Page>
const asked = (filter: Asked) => ({
  limit: 50,
  role: 'owner' as const,
  staffId: ana,
  ...filter,
  ...(filter.q && { numberIndex: cardNumberIndex(keys, filter.q) }),
})

/** The same search as one plain and slow query. */
async function findSlowly(wanted: Asked) {
  const { q = '', brand, numberIndex, cursor, limit = 50, answeredFirst, view = 'all' } = wanted
  const words = q.split(/\s+/)
  const everyWord = sql.join(words.map(isFoundBy), sql` and `)
  const { sort, answeredFirst: isReview } = viewRules[view]
  const isOldestFirst = (wanted.sort ?? sort) === 'oldest'
  const among = viewRules[view].statuses.filter((status) => !wanted.status || status === wanted.status)
  const claimed = sql`select gift_card_id from claims where until > now()`
  const found = sql`
    select gift_cards.id from gift_cards join users on users.id = seller_id
    where cleared_at is null
      and status = any(${sql.param(among)}::text[])
      and (status <> 'failed' or ${view} = 'all' or (${view} = 'waiting') = exists (
        select from status_history where gift_card_id = gift_cards.id and status_history.version = gift_cards.version
          and reason_code in ${accountReasons} and secrets_erased_at is null))
      and (${brand ?? null}::text is null or brand = ${brand ?? null})
      and denomination between ${wanted.minAmount ?? 0} and ${wanted.maxAmount ?? 1e9}
      and (${wanted.paymentType ?? null}::text is null or payment_type = ${wanted.paymentType ?? null})
      and gift_cards.created_at >= ${wanted.from ?? '-infinity'} and gift_cards.created_at < ${wanted.to ?? 'infinity'}
      and (${wanted.claimed !== 'none'} or gift_cards.id not in (${claimed}))
      and (${wanted.claimed !== 'me'} or gift_cards.id in (${claimed} and administrator_id = ${ana}))
      and (${q} = '' or card_number_index = ${numberIndex ?? null} or ${isFoundBy(q)} or (${everyWord}))`
  const isAnsweredFirst = !q && (answeredFirst || isReview)
  const all = await database.db.execute<{ id: string }>(
    sql`${found} order by ${isAnsweredFirst ? sql`answered desc,` : sql``}
      gift_cards.id ${isOldestFirst ? sql`asc` : sql`desc`}`,
  )
  const ids = all.rows.map(({ id }) => id)
  const isBelow = (id: string) => !cursor || (isOldestFirst ? id > cursor : id < cursor)
  return { total: Math.min(ids.length, MAX_COUNTED + 1), ids: ids.filter(isBelow).slice(0, limit + 1) }
}

function isFoundBy(text: string) {
  const pattern = likePattern(text)
  const cents = parseDollars(text.replace(/^\$/, '').replaceAll(',', '')) ?? null
  return sql`(gift_cards.id::text like ${pattern} or brand like ${pattern}
    or right(gift_cards.id::text, 8) = ${endOfReference(text) ?? null}
    or lower(brand_name) like ${pattern} or lower(username) like ${pattern} or lower(email) like ${pattern}
    or lower(first_name || ' ' || last_name) like ${pattern}
    or card_number_last_four = ${cardCharactersProblem(text) ? null : normalizeCardNumber(text)}
    or denomination = ${cents} or selling_price = ${cents})`
}

const filters: readonly [string, () => Asked][] = [
  ['nothing', () => ({})],
  ['a status', () => ({ status: 'pending' })],
  ['a status without submissions', () => ({ status: 'under_review' })],
  ['a brand', () => ({ brand: 'amazon' })],
  ['a status and a brand', () => ({ status: 'rejected', brand: 'target' })],
  ['the next page', () => ({ cursor: sample.id })],
  ['the next page of a status', () => ({ status: 'completed', cursor: sample.id, limit: 3 })],
]
const answeredFirst: readonly [string, () => Asked][] = [
  ['nothing', () => ({ answeredFirst: 'true' })],
  ['a status', () => ({ answeredFirst: 'true', status: 'pending' })],
  ['a status without answered submissions', () => ({ answeredFirst: 'true', status: 'completed' })],
  ['a brand', () => ({ answeredFirst: 'true', brand: 'amazon' })],
]
const MONTHS_AGO = new Date(Date.now() - 200 * 24 * 3600 * 1000).toISOString()
const views: readonly [string, () => Asked][] = [
  ['what needs review', () => ({ view: 'review' })],
  ['what needs review, newest first', () => ({ view: 'review', sort: 'newest' })],
  ['what needs review, of a brand', () => ({ view: 'review', brand: 'amazon' })],
  ['what waits for a seller', () => ({ view: 'waiting' })],
  ['what was offered', () => ({ view: 'offered' })],
  ['what is to be paid', () => ({ view: 'pay', limit: 25 })],
  ['what is done', () => ({ view: 'done' })],
  ['what is done, the next page', () => ({ view: 'done', cursor: sample.id })],
  ['what is done, oldest first', () => ({ view: 'done', sort: 'oldest', cursor: sample.id })],
  ['a status of a view', () => ({ view: 'done', status: 'rejected' })],
  ['a status of another view', () => ({ view: 'done', status: 'pending' })],
  ['everything, oldest first', () => ({ view: 'all', sort: 'oldest' })],
  ['what nobody has claimed', () => ({ claimed: 'none' })],
  ['what needs review and nobody has claimed', () => ({ view: 'review', claimed: 'none' })],
]
const narrow: readonly [string, () => Asked][] = [
  ['what Ana has claimed', () => ({ claimed: 'me' })],
  ['what Ana has claimed to pay', () => ({ view: 'pay', claimed: 'me' })],
  ['a payment type', () => ({ paymentType: 'zelle' })],
  ['a payment type to pay', () => ({ view: 'pay', paymentType: 'venmo' })],
  [
    'a payment type that is done, the next page',
    () => ({ view: 'done', paymentType: 'chime', cursor: sample.id }),
  ],
  ['high amounts', () => ({ minAmount: 90_000 })],
  ['what needs review before a time', () => ({ view: 'review', to: MONTHS_AGO })],
  ['what is done since a time, oldest first', () => ({ view: 'done', sort: 'oldest', from: MONTHS_AGO })],
  ['low amounts', () => ({ maxAmount: 2500, sort: 'oldest' })],
]
const narrowSearches: readonly [string, () => Asked][] = [
  ['what needs review, of some amount', () => ({ view: 'review', minAmount: 5000, maxAmount: 10_000 })],
  ['a first name among what is done, oldest first', () => ({ q: 'maria', view: 'done', sort: 'oldest' })],
  ['a first name in a view, past a cursor', () => ({ q: 'maria', view: 'review', cursor: sample.id })],
  ['a brand, unclaimed', () => ({ q: 'amazon', view: 'review', claimed: 'none' })],
  ['a brand with an earlier name and an amount', () => ({ q: 'azon prime', minAmount: 5000 })],
  ['a payment type, past the last page', () => ({ paymentType: 'zelle', cursor: FIRST_ID })],
  [
    'a first name and a payment type, past the last page',
    () => ({ q: 'maria', paymentType: 'zelle', cursor: FIRST_ID }),
  ],
]
const searches: readonly [string, () => Asked][] = [
  ['an email', () => ({ q: sample.email })],
  ['part of an email', () => ({ q: sample.email.slice(1, 14).toUpperCase() })],
  ['an email in capitals', () => ({ q: sample.email.toUpperCase() })],
  ['an email up to its @', () => ({ q: sample.email.slice(0, sample.email.indexOf('@') + 1) })],
  ['a username', () => ({ q: sample.username })],
  ['a whole number', () => ({ q: number })],
  ['the last four', () => ({ q: sample.last_four })],
  ['an id', () => ({ q: sample.id })],
  ['the end of an id', () => ({ q: sample.id.slice(-7) })],
  ['a reference', () => ({ q: referenceOf(sample.id) })],
  ['an odd amount', () => ({ q: '$31.07' })],
  ['a username and the last four', () => ({ q: `${sample.username} ${sample.last_four}` })],
]
const broadSearches: readonly [string, () => Asked][] = [
  ['a round amount', () => ({ q: '100' })],
  ['the beginning of every id', () => ({ q: sample.id.slice(0, 3) })],
  ['a part of every email', () => ({ q: 'example' })],
  ['one letter', () => ({ q: 'a' })],
  ['a brand', () => ({ q: 'Amazon' })],
  ['a brand’s earlier name', () => ({ q: 'azon prime' })],
  ['a slug and a status', () => ({ q: 'best_buy', status: 'completed' })],
  ['a first name', () => ({ q: 'maria' })],
  ['a part of every email and the last four', () => ({ q: `example ${sample.last_four}` })],
  ['a first name and a brand', () => ({ q: 'maria amazon' })],
  ['a first name and a word without matches', () => ({ q: 'maria zzzzzz' })],
  ['a first name, a brand and the next page', () => ({ q: 'maria', brand: 'amazon', cursor: sample.id })],
  ['a part of names and of brands', () => ({ q: 'mar', status: 'pending', limit: 5 })],
  ['a percent sign', () => ({ q: '%' })],
  ['a dash', () => ({ q: '-' })],
  ['a text without matches', () => ({ q: 'zzzzzz' })],
  ['a domain', () => ({ q: '@example.org' })],
  ['one letter before the @', () => ({ q: 'n@example.org' })],
  ['more than one @', () => ({ q: 'maria@b@c' })],
  ['a first name, past its last page', () => ({ q: 'maria', cursor: FIRST_ID })],
  ['nothing, past the last page', () => ({ cursor: FIRST_ID })],
]

describe('a page of submissions finds the same as a plain query:', () => {
  it.each([...filters, ...views, ...narrow, ...narrowSearches, ...searches, ...broadSearches])(
    '%s',
    async (_, filter) => {
      const wanted = asked(filter())
      const { rows, total } = await listStaffCards(database.db, wanted)
      expect({ total, ids: rows.map(({ card }) => card.id) }).toEqual(await findSlowly(wanted))
      if (!isForTransactions(wanted)) return
      const transactions = await listTransactions(database, { role: 'owner' }, wanted)
      expect({
        total: transactions.total,
        ids: transactions.rows.map(({ giftCardId }) => giftCardId),
      }).toEqual(await findSlowly({ ...wanted, numberIndex: undefined }))
    },
  )
})

/** Transactions have fewer filters. */
function isForTransactions(wanted: Asked): boolean {
  const { q, status, cursor, limit, numberIndex, staffId, role, ...more } = wanted as ReturnType<typeof asked>
  return Object.keys(more).length === 0
}

describe('a page with answered submissions first finds the same, and reads only what it shows:', () => {
  it.each(answeredFirst)('%s', async (_, filter) => {
    const wanted = asked(filter())
    const { rows, total } = await listStaffCards(database.db, wanted)
    expect({ total, ids: rows.map(({ card }) => card.id) }).toEqual(await findSlowly(wanted))
    const plans = await explain(database.pool, (db) => listStaffCards(db, wanted))
    expect(plans.flatMap(({ scanned }) => scanned)).not.toContain('gift_cards')
    // Both parts are limited to the page, and the count to 1,001.
    expect(plans.reduce((sum, { visited }) => sum + visited, 0)).toBeLessThan(51 * 12 + COUNTED)
  })
})

it('reads the same row in the list as for one submission', async () => {
  const { rows } = await listStaffCards(database.db, asked({}))
  const alone = await Promise.all(rows.map(({ card }) => findStaffCard(database.db, card.id)))
  expect(rows.map(({ total, ...row }) => row)).toEqual(alone)
})

describe('a page of submissions reads only what it shows:', () => {
  const cost = (plans: readonly Explained[]) => ({
    visited: plans.reduce((sum, plan) => sum + plan.visited, 0),
    scanned: plans.flatMap(({ scanned }) => scanned.filter((table) => BIG.includes(table))),
  })
  const BIG = ['gift_cards', 'transactions', 'users', 'photos']
  // Each row with its seller and its duplicate check.
  const PAGE = 51 * 10 + COUNTED
  const FEW = 500
  // The few matches lie among rows of other brands. The count reads its rows in the index and in the table.
  const SMALL_PAGE = 6 * 10 + 2 * COUNTED + CARDS / 10
  const brands: readonly [string, () => Asked][] = [
    ['a brand by its slug, as text', () => ({ q: 'Amazon', limit: 5 })],
    ['a brand by its name, as text', () => ({ q: 'Best Buy', limit: 5 })],
  ]

  it.each([
    ...brands.map((it) => [...it, SMALL_PAGE] as const),
    ...filters.map((it) => [...it, PAGE] as const),
    ...searches.map((it) => [...it, FEW] as const),
  ])('%s', async (_, filter, most) => {
    const { brand, ...wanted } = asked(filter())
    const cards = cost(await explain(database.pool, (db) => listStaffCards(db, { ...wanted, brand })))
    const transactions = cost(
      await explain(database.pool, (db) => listTransactions({ db }, { role: 'owner' }, wanted)),
    )
    expect([cards.scanned, transactions.scanned]).toEqual([[], []])
    expect(Math.max(cards.visited, transactions.visited)).toBeLessThan(most)
  })
})

describe('a view or a narrow filter reads its page from an index', () => {
  // As above, and a page of each of four statuses.
  const PAGE = 51 * 12 + COUNTED
  const cost = async (wanted: Asked) => {
    const plans = await explain(database.pool, (db) => listStaffCards(db, asked(wanted)))
    expect(plans.flatMap(({ scanned }) => scanned)).not.toContain('gift_cards')
    return plans.reduce((sum, { visited }) => sum + visited, 0)
  }

  it.each(views)('and its total: %s', async (_, filter) => {
    expect(await cost(filter())).toBeLessThan(PAGE)
  })

  it.each(narrow)('and counts only what it finds: %s', async (_, filter) => {
    const { total } = await listStaffCards(database.db, asked(filter()))
    expect(await cost(filter())).toBeLessThan(PAGE + 2 * total)
  })

  it('and for amounts reads no more than the view', async () => {
    const { total } = await listStaffCards(database.db, asked({ view: 'review' }))
    const amounts = { view: 'review', minAmount: 5000, maxAmount: 10_000 } as const
    expect(await cost(amounts)).toBeLessThan(PAGE + 2 * total)
  })
})
