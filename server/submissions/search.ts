import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
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
}

/** A brand under a name that it has, or had, on submissions; how many of those the filter leaves. */
interface FoundBrand {
  readonly brand: string
  readonly brandName: string
  readonly count: number
}

/** Which submissions a filter asks for. */
export interface Found {
  /** How many in all. */
  readonly total: () => Promise<number>
  /** A condition on `gift_cards` that leaves the newest ones before the cursor, as many as asked for. */
  readonly newest: (page: { cursor?: string | undefined; limit: number }) => SQL | undefined
}

/**
 * Finds submissions by id, brand, seller, amount, and the card's whole number or its last four.
 *
 * Each of these is looked up by itself, by an index that has the order of the list: a common answer is cut short after
 * a page, a rare one costs its few rows. (Joined by OR in one condition, one common answer spoils the plan for all.)
 */
export async function find(db: Executor, filter: StaffFilter): Promise<Found> {
  const { q } = filter
  if (!q) {
    return {
      total: async () => sum(await countBrands(db, filter)),
      newest: ({ cursor }) => and(listed(filter), cursor ? lt(giftCards.id, cursor) : undefined),
    }
  }
  const brands = await countBrands(db, filter, likePattern(q))
  return {
    total: async () => sum(brands) + (await countOthers(db, filter, brands)),
    newest: ({ cursor, limit }) => {
      const before = and(listed(filter), cursor ? lt(giftCards.id, cursor) : undefined)
      const pages = lookUps(filter).map((found) => newestOf(found, before, limit))
      if (brands.length > 0) pages.push(newestOfBrands(brands, before, limit))
      return sql`${giftCards.id} in (
        select id from (${sql.join(pages, sql` union `)}) as found order by id desc limit ${limit}
      )`
    },
  }
}

function listed({ status, brand }: StaffFilter): SQL | undefined {
  return and(
    isNull(giftCards.clearedAt),
    status && eq(giftCards.status, status),
    brand === undefined ? undefined : eq(giftCards.brand, brand),
  )
}

interface LookUp {
  readonly from: SQL
  readonly where: SQL
}

function lookUps({ q = '', numberIndex }: StaffFilter): LookUp[] {
  const ofCard = (where: SQL): LookUp => ({ from: sql`${giftCards}`, where })
  const pattern = likePattern(q)
  const found = [
    ofCard(sql`${giftCards.sellerId} in (
      select ${users.id} from ${users}
      where lower(${users.username}) like ${pattern} or lower(${users.email}) like ${pattern}
    )`),
  ]
  if (numberIndex) found.push(ofCard(eq(giftCards.cardNumberIndex, numberIndex)))
  const number = normalizeCardNumber(q)
  if ([...number].length <= 4) found.push(ofCard(eq(giftCards.cardNumberLastFour, number)))
  const cents = parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))
  if (cents !== undefined) {
    found.push(ofCard(eq(giftCards.denomination, cents)), ofCard(eq(giftCards.sellingPrice, cents)))
  }
  if (isUuid(q)) found.push(ofCard(eq(giftCards.id, q)))
  else if (/^[0-9a-f-]{1,36}$/i.test(q)) {
    // Where a submission's id is indexed by its parts.
    found.push({
      from: sql`${transactions} join ${giftCards} on ${giftCards.id} = ${transactions.giftCardId}`,
      where: sql`${transactions.giftCardId}::text like ${pattern}`,
    })
  }
  return found
}

function newestOf({ from, where }: LookUp, listedBefore: SQL | undefined, limit: number): SQL {
  return sql`(
    select ${giftCards.id} from ${from} where ${and(listedBefore, where)}
    order by ${giftCards.id} desc limit ${limit}
  )`
}

/** Newest of each brand. Their number is small, and all is in the order of an index. */
function newestOfBrands(brands: readonly FoundBrand[], listedBefore: SQL | undefined, limit: number): SQL {
  const ofBrand = sql`${giftCards.brand} = found.brand and ${giftCards.brandName} = found.brand_name`
  return sql`(
    select newest.id from ${asTable(brands)} as found (brand, brand_name) cross join lateral (
      select ${giftCards.id} from ${giftCards} where ${and(listedBefore, ofBrand)}
      order by ${giftCards.id} desc limit ${limit}
    ) as newest
  )`
}

/** By the counts that the database keeps, without looking at submissions. */
async function countBrands(
  db: Executor,
  { status, brand }: StaffFilter,
  pattern?: string,
): Promise<FoundBrand[]> {
  const { rows } = await db.execute<{ brand: string; brand_name: string; count: string }>(sql`
    select brand, brand_name, sum(count) as count from ${submissionCounts}
    where ${and(
      status && eq(submissionCounts.status, status),
      brand === undefined ? undefined : eq(submissionCounts.brand, brand),
      pattern === undefined ? undefined : sql`(brand like ${pattern} or lower(brand_name) like ${pattern})`,
      sql`true`,
    )}
    group by brand, brand_name having sum(count) > 0`)
  return rows.map((row) => ({ brand: row.brand, brandName: row.brand_name, count: Number(row.count) }))
}

const sum = (brands: readonly FoundBrand[]): number => brands.reduce((total, { count }) => total + count, 0)

/** Those that are found by something else than their brand. */
async function countOthers(
  db: Executor,
  filter: StaffFilter,
  brands: readonly FoundBrand[],
): Promise<number> {
  const otherBrand =
    brands.length > 0
      ? sql`(${giftCards.brand}, ${giftCards.brandName}) not in (select * from ${asTable(brands)} as found)`
      : undefined
  const all = lookUps(filter).map(
    ({ from, where }) =>
      sql`select ${giftCards.id} from ${from} where ${and(listed(filter), otherBrand, where)}`,
  )
  const { rows } = await db.execute<{ count: string }>(
    sql`select count(*) as count from (${sql.join(all, sql` union `)}) as found`,
  )
  return Number(rows[0]?.count)
}

function asTable(brands: readonly FoundBrand[]): SQL {
  const slugs = sql.param(brands.map(({ brand }) => brand))
  const names = sql.param(brands.map(({ brandName }) => brandName))
  return sql`unnest(${slugs}::text[], ${names}::text[])`
}
