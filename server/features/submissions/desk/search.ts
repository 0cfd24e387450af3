import { and, eq, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, submissionCounts, transactions, users } from '#server/platform/database/schema.ts'
import { type StaffFilter, type Terms, termsOf } from './search-terms.ts'

/** Terms of a filter with a text to search for. */
type Searched = Terms & { readonly text: string }

/** One way to find submissions. */
interface LookUp {
  readonly from: SQL
  readonly where: SQL
}

interface FoundPage {
  /** A table to join by its `id`: one row more than the limit when more follow, each with the `total` of the filter. */
  readonly found: SQL
  readonly order: SQL
  /** Names the query for the prepared statements of PostgreSQL; empty if it is to be planned for these values. */
  readonly name: string
}

/** Finds the submissions of a page. */
export function findPage({ limit, cursor, ...filter }: StaffFilter & Page): FoundPage {
  const part = partOf(filter, cursor)
  const start = cursor?.replace(ANSWERED, '') || undefined
  const terms = termsOf(filter)
  // A plan for any text would walk the whole list for a name that no one has. Odd limits would keep too many plans.
  const isPlannedOnce = !isSearch(terms) && limit % 25 === 0
  return {
    found: sql`${find(terms, start, limit + 1, part)} as found`,
    order: part === 'both' ? sql`found.answered desc, ${newestFirst}` : newestFirst,
    name: isPlannedOnce ? [limit, part, ...Object.keys(terms), start && 'cursor'].join('_') : '',
  }
}

/** Prefix of a cursor that points into the answered submissions. */
const ANSWERED = 'answered.'
const newestFirst = sql`${giftCards.id} desc`

/** Where the page after a submission starts in a list that has the answered ones first. */
export function answeredCursor({ id, answered }: { id: string; answered: boolean }): string {
  return answered ? `${ANSWERED}${id}` : id
}

/** What a page holds: submissions of all kinds, answered ones and then others, or only others. */
type Part = 'all' | 'both' | 'others'

function partOf({ answeredFirst, q }: StaffFilter, cursor: string | undefined): Part {
  if (!answeredFirst || q) return 'all'
  return cursor === undefined || cursor.startsWith(ANSWERED) ? 'both' : 'others'
}

/**
 * A text finds submissions by id, brand, seller, amount, and the card's whole number or its last four. Each of these is
 * looked up by itself, by an index that has the order of the list: a common answer is cut short after a page, a rare one
 * costs its few rows. (Joined by OR in one condition, one common answer spoils the plan for all.)
 */
function find(asked: Terms, cursor: string | undefined, size: number, part: Part): SQL {
  const before = cursor === undefined ? undefined : lt(giftCards.id, cursor)
  const wanted = and(listed(asked), before, part === 'others' ? not(giftCards.answered) : undefined)
  // Written out, not a parameter: PostgreSQL keeps a plan only when it knows the limit.
  const limit = sql.raw(String(size))
  const newest = sql`order by id desc limit ${limit}`
  if (!isSearch(asked)) {
    const total = countListed(asked)
    if (part !== 'both')
      return sql`(select id, ${total} as total from ${giftCards} where ${wanted} ${newest})`
    // Two walks, each cut to the page: the answered ones are few and have an index of their own.
    return sql`(
      select id, answered, ${total} as total from (
        (select id, answered from ${giftCards} where ${and(listed(asked), giftCards.answered, before)} ${newest})
        union all
        (select id, answered from ${giftCards} where ${and(listed(asked), not(giftCards.answered))} ${newest})
      ) as each order by answered desc, id desc limit ${limit}
    )`
  }
  // Of each brand by itself, in the order of its index.
  const ofBrands = sql`(select newest.id from brands cross join lateral (
    select id from ${giftCards} where ${and(wanted, ofFoundBrand)} ${newest}
  ) as newest)`
  const others = lookUps(asked).map(
    ({ from, where }) => sql`(
      select ${giftCards.id} from ${from} where ${and(wanted, where)} order by ${giftCards.id} desc limit ${limit}
    )`,
  )
  return sql`(
    with ${foundFirst(asked)}
    select id, ${countFound(asked)} as total
    from (${sql.join([ofBrands, ...others], sql` union `)}) as each ${newest}
  )`
}

/** How many submissions a filter leaves in all: each row of a page says so, and past its end the database is asked. */
export async function totalOf(
  db: Executor,
  [row]: readonly { total: string }[],
  { cursor, limit, ...filter }: StaffFilter & Page,
): Promise<number> {
  if (row || !cursor) return Number(row?.total ?? 0)
  const terms = termsOf(filter)
  const total = isSearch(terms)
    ? sql`(with ${foundFirst(terms)} select ${countFound(terms)})`
    : countListed(terms)
  const { rows } = await db.execute<{ total: string }>(sql`select ${total} as total`)
  return Number(rows[0]?.total)
}

const isSearch = (asked: Terms): asked is Searched => asked.text !== undefined

function listed(asked: Terms): SQL | undefined {
  return and(isNull(giftCards.clearedAt), ofStatusAndBrand(asked, giftCards))
}

function ofStatusAndBrand(
  { status, brand }: Terms,
  columns: typeof giftCards | typeof submissionCounts,
): SQL | undefined {
  return and(
    status === undefined ? undefined : eq(columns.status, status),
    brand === undefined ? undefined : eq(columns.brand, brand),
  )
}

/** All but the brand's. */
function lookUps({ number, lastFour, cents, id, idPart, transaction }: Searched): LookUp[] {
  const ofCard = (where: SQL): LookUp => ({ from: sql`${giftCards}`, where })
  const ofTransaction = (where: SQL): LookUp => ({
    from: sql`${transactions} join ${giftCards} on ${giftCards.id} = ${transactions.giftCardId}`,
    where,
  })
  const found = [ofCard(sql`${giftCards.sellerId} in (select id from sellers)`)]
  if (number) found.push(ofCard(eq(giftCards.cardNumberIndex, number)))
  if (lastFour !== undefined) found.push(ofCard(eq(giftCards.cardNumberLastFour, lastFour)))
  if (cents !== undefined) {
    found.push(ofCard(eq(giftCards.denomination, cents)), ofCard(eq(giftCards.sellingPrice, cents)))
  }
  if (id) found.push(ofCard(eq(giftCards.id, id)))
  if (transaction) found.push(ofTransaction(eq(transactions.id, transaction)))
  // Where a submission's id is indexed by its parts.
  if (idPart) found.push(ofTransaction(sql`${transactions.giftCardId}::text like ${idPart}`))
  return found
}

/** What several parts of a search read, found once. */
const foundFirst = (asked: Searched): SQL => sql`${foundBrands(asked)}, ${foundSellers(asked)}`

function foundSellers({ username, email, wholeEmail }: Searched): SQL {
  const itsEmail = sql`lower(${users.email})`
  const byUsername = username ? sql`lower(${users.username}) like ${username} or` : sql``
  const whole = wholeEmail ? sql`and strpos(${itsEmail}, ${wholeEmail}) > 0` : sql``
  return sql`sellers as materialized (
    select ${users.id} from ${users} where ${byUsername} ${itsEmail} like ${email} ${whole}
  )`
}

// Brands, by the counts that the database keeps, without looking at submissions.

/** Brands that are searched for, and how many submissions of them are listed. One has a name when that is what was found. */
function foundBrands(asked: Searched): SQL {
  const { brand, brandName, count } = submissionCounts
  const wanted = and(ofStatusAndBrand(asked, submissionCounts), ofBrand(asked, submissionCounts))
  return sql`brands as materialized (
    select ${brand} as brand, case when ${brand} like ${asked.text} then null else ${brandName} end as name, sum(${count}) as count
    from ${submissionCounts} where ${wanted} group by 1, 2 having sum(${count}) > 0
  )`
}

/**
 * By a case, which the planner takes for true of every other row. It would take brand and name together for very rare, and
 * sort all of a brand in place of reading its newest.
 */
const ofFoundBrand = sql`${giftCards.brand} = brands.brand
  and case when brands.name is null then true else ${giftCards.brandName} = brands.name end`

function ofBrand({ text }: Searched, { brand, brandName }: typeof giftCards | typeof submissionCounts): SQL {
  return sql`(${brand} like ${text} or lower(${brandName}) like ${text})`
}

/** How many there are without a text to search for. */
function countListed(asked: Terms): SQL {
  const wanted = and(sql`true`, ofStatusAndBrand(asked, submissionCounts))
  return sql`(select coalesce(sum(count), 0) from ${submissionCounts} where ${wanted})`
}

/** Those of the brands, and those that are found by something else. */
function countFound(asked: Searched): SQL {
  const wanted = and(listed(asked), not(ofBrand(asked, giftCards)))
  const others = lookUps(asked).map(
    ({ from, where }) => sql`select ${giftCards.id} from ${from} where ${and(wanted, where)}`,
  )
  return sql`(
    (select coalesce(sum(count), 0) from brands) + (select count(*) from (${sql.join(others, sql` union `)}) as others)
  )`
}
