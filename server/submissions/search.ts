import { and, eq, isNull, lt, not, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import { normalizeCardNumber } from '#domain/card-number.ts'
import { parseDollars } from '#domain/money.ts'
import type { Status } from '#domain/submission.ts'
import type { Executor } from '#server/database/pool.ts'
import { giftCards, submissionCounts, transactions, users } from '#server/database/schema.ts'
import { isUuid, likePattern } from '#server/database/search-text.ts'

export interface StaffFilter {
  readonly status?: Status | undefined
  readonly brand?: string | undefined
  /** Text to search for, as typed. */
  readonly q?: string | undefined
  /** The blind index of that text, were it a card number. */
  readonly numberIndex?: Buffer | undefined
  /** Whether the text may be the id of a submission's transaction as well. */
  readonly byTransaction?: boolean | undefined
}

type Searched = StaffFilter & { readonly q: string }

/** One way to find submissions. */
interface LookUp {
  readonly from: SQL
  readonly where: SQL
}

/**
 * The newest submissions that a filter asks for, before the cursor and as many as asked for: a table of their `id`, and
 * in each row the `total` of all that the filter leaves. A statement that doesn't read the total doesn't count either.
 *
 * A text finds submissions by id, brand, seller, amount, and the card's whole number or its last four. Each of these is
 * looked up by itself, by an index that has the order of the list: a common answer is cut short after a page, a rare one
 * costs its few rows. (Joined by OR in one condition, one common answer spoils the plan for all.)
 */
export function find({ cursor, limit, ...filter }: StaffFilter & Page): SQL {
  const wanted = and(listed(filter), cursor ? lt(giftCards.id, cursor) : undefined)
  const newest = sql`order by id desc limit ${limit}`
  if (!isSearch(filter)) {
    return sql`(select id, ${countListed(filter)} as total from ${giftCards} where ${wanted} ${newest})`
  }
  // Of each brand by itself, in the order of its index.
  const ofBrands = sql`(select newest.id from brands cross join lateral (
    select id from ${giftCards} where ${and(wanted, ofFoundBrand)} ${newest}
  ) as newest)`
  const others = lookUps(filter).map(
    ({ from, where }) => sql`(
      select ${giftCards.id} from ${from} where ${and(wanted, where)} order by ${giftCards.id} desc limit ${limit}
    )`,
  )
  return sql`(
    with ${foundFirst(filter)}
    select id, ${countFound(filter)} as total
    from (${sql.join([ofBrands, ...others], sql` union `)}) as found ${newest}
  )`
}

/** How many submissions a filter leaves in all: each row of a page says so, and past its end the database is asked. */
export async function totalOf(
  db: Executor,
  [row]: readonly { total: string }[],
  { cursor, limit, ...filter }: StaffFilter & Page,
): Promise<number> {
  if (row || !cursor) return Number(row?.total ?? 0)
  const total = isSearch(filter)
    ? sql`(with ${foundFirst(filter)} select ${countFound(filter)})`
    : countListed(filter)
  const { rows } = await db.execute<{ total: string }>(sql`select ${total} as total`)
  return Number(rows[0]?.total)
}

const isSearch = (filter: StaffFilter): filter is Searched => Boolean(filter.q)

/** What needs no search; its values may be given later, to a prepared statement. */
type Listed = { readonly [Field in 'status' | 'brand']?: StaffFilter[Field] | Placeholder }

export function listed(filter: Listed): SQL | undefined {
  return and(isNull(giftCards.clearedAt), ...ofStatusAndBrand(filter, giftCards))
}

function ofStatusAndBrand(
  { status, brand }: Listed,
  columns: typeof giftCards | typeof submissionCounts,
): (SQL | undefined)[] {
  return [
    status === undefined ? undefined : eq(columns.status, status),
    brand === undefined ? undefined : eq(columns.brand, brand),
  ]
}

function lookUps({ q, numberIndex, byTransaction }: Searched): LookUp[] {
  const ofCard = (where: SQL): LookUp => ({ from: sql`${giftCards}`, where })
  const ofTransaction = (where: SQL): LookUp => ({
    from: sql`${transactions} join ${giftCards} on ${giftCards.id} = ${transactions.giftCardId}`,
    where,
  })
  const found = [ofCard(sql`${giftCards.sellerId} in (select id from sellers)`)]
  if (numberIndex) found.push(ofCard(eq(giftCards.cardNumberIndex, numberIndex)))
  const number = normalizeCardNumber(q)
  if ([...number].length <= 4) found.push(ofCard(eq(giftCards.cardNumberLastFour, number)))
  const cents = parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))
  if (cents !== undefined) {
    found.push(ofCard(eq(giftCards.denomination, cents)), ofCard(eq(giftCards.sellingPrice, cents)))
  }
  if (isUuid(q)) {
    found.push(ofCard(eq(giftCards.id, q)))
    if (byTransaction) found.push(ofTransaction(eq(transactions.id, q)))
  } else if (/^[0-9a-f-]{1,36}$/i.test(q)) {
    // Where a submission's id is indexed by its parts.
    found.push(ofTransaction(sql`${transactions.giftCardId}::text like ${likePattern(q)}`))
  }
  return found
}

/** What several parts of a search read, found once. */
const foundFirst = (filter: Searched): SQL => sql`${foundBrands(filter)}, ${foundSellers(filter)}`

/**
 * Sellers whose username or e-mail has the text. Domains are shared by very many: the index is asked for what stands before
 * the @ alone, and the rest is compared with what it finds. No username has an @.
 */
function foundSellers({ q }: Searched): SQL {
  const pattern = likePattern(q)
  const email = sql`lower(${users.email})`
  const [local = '', domain] = q.split('@')
  const condition =
    domain === undefined
      ? sql`lower(${users.username}) like ${pattern} or ${email} like ${pattern}`
      : local.length < SHORTEST_INDEXED
        ? sql`${email} like ${pattern}`
        : sql`${email} like ${likePattern(`${local}@`)} and strpos(${email}, ${q.toLowerCase()}) > 0`
  return sql`sellers as materialized (select ${users.id} from ${users} where ${condition})`
}

/** The index knows parts of three characters. */
const SHORTEST_INDEXED = 3

// Brands, by the counts that the database keeps, without looking at submissions.

/** Brands that are searched for, and how many submissions of them are listed. One has a name when that is what was found. */
function foundBrands(filter: Searched): SQL {
  const pattern = likePattern(filter.q)
  const { brand, brandName, count: its } = submissionCounts
  return sql`brands as materialized (
    select ${brand} as brand, case when ${brand} like ${pattern} then null else ${brandName} end as name, sum(${its}) as count
    from ${submissionCounts} where ${and(...ofStatusAndBrand(filter, submissionCounts), ofBrand(pattern, submissionCounts))}
    group by 1, 2 having sum(${its}) > 0
  )`
}

const ofFoundBrand = sql`${giftCards.brand} = brands.brand
  and (brands.name is null or ${giftCards.brandName} = brands.name)`

function ofBrand(pattern: string, { brand, brandName }: typeof giftCards | typeof submissionCounts): SQL {
  return sql`(${brand} like ${pattern} or lower(${brandName}) like ${pattern})`
}

/** How many there are without a text to search for. */
export function countListed(filter: Listed): SQL {
  return sql`(select coalesce(sum(count), 0) from ${submissionCounts} where ${and(sql`true`, ...ofStatusAndBrand(filter, submissionCounts))})`
}

/** Those of the brands, and those that are found by something else. */
function countFound(filter: Searched): SQL {
  const ofOther = not(ofBrand(likePattern(filter.q), giftCards))
  const others = lookUps(filter).map(
    ({ from, where }) =>
      sql`select ${giftCards.id} from ${from} where ${and(listed(filter), ofOther, where)}`,
  )
  return sql`(
    (select coalesce(sum(count), 0) from brands) + (select count(*) from (${sql.join(others, sql` union `)}) as others)
  )`
}
