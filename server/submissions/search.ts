import { and, eq, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
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

/** A brand that is searched for, and how many submissions of it the filter leaves. */
interface FoundBrand {
  readonly brand: string
  /** The name it is found by; undefined when it is found by its slug, under whatever name. */
  readonly brandName: string | undefined
  readonly count: number
}

/** More brands than this are looked for in one go. */
const FEW_BRANDS = 8

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
      total: () => countListed(db, filter),
      newest: ({ cursor }) => and(listed(filter), cursor ? lt(giftCards.id, cursor) : undefined),
    }
  }
  const brands = await findBrands(db, filter)
  return {
    total: async () =>
      brands.reduce((sum, { count }) => sum + count, await countOthers(db, filter, brands.length > 0)),
    newest: ({ cursor, limit }) => {
      const before = and(listed(filter), cursor ? lt(giftCards.id, cursor) : undefined)
      const pages = [...brandLookUps(brands, filter), ...lookUps(filter)].map(
        ({ from, where }) => sql`(
          select ${giftCards.id} from ${from} where ${and(before, where)}
          order by ${giftCards.id} desc limit ${limit}
        )`,
      )
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

function brandLookUps(brands: readonly FoundBrand[], { q = '' }: StaffFilter): LookUp[] {
  const from = sql`${giftCards}`
  if (brands.length > FEW_BRANDS) return [{ from, where: ofBrand(likePattern(q), giftCards) }]
  return brands.map(({ brand, brandName }) => {
    const named = brandName === undefined ? undefined : eq(giftCards.brandName, brandName)
    return { from, where: sql`${and(eq(giftCards.brand, brand), named)}` }
  })
}

function ofBrand(pattern: string, { brand, brandName }: typeof giftCards | typeof submissionCounts): SQL {
  return sql`(${brand} like ${pattern} or lower(${brandName}) like ${pattern})`
}

// By the counts that the database keeps, without looking at submissions.

function counted({ status, brand }: StaffFilter): SQL {
  const wanted = [
    status && eq(submissionCounts.status, status),
    brand === undefined ? undefined : eq(submissionCounts.brand, brand),
  ]
  return sql`${and(sql`true`, ...wanted)}`
}

/** How many there are without a text to search for. */
export async function countListed(db: Executor, filter: StaffFilter): Promise<number> {
  const { rows } = await db.execute<{ total: string }>(
    sql`select coalesce(sum(count), 0) as total from ${submissionCounts} where ${counted(filter)}`,
  )
  return Number(rows[0]?.total)
}

async function findBrands(db: Executor, filter: StaffFilter): Promise<FoundBrand[]> {
  const pattern = likePattern(filter.q ?? '')
  const { rows } = await db.execute<{ brand: string; name: string | null; count: string }>(sql`
    select brand, case when brand like ${pattern} then null else brand_name end as name, sum(count) as count
    from ${submissionCounts} where ${and(counted(filter), ofBrand(pattern, submissionCounts))}
    group by 1, 2 having sum(count) > 0`)
  return rows.map(({ brand, name, count }) => ({ brand, brandName: name ?? undefined, count: Number(count) }))
}

/** Those that are found by something else than their brand. */
async function countOthers(db: Executor, filter: StaffFilter, brandsToo: boolean): Promise<number> {
  const otherBrand = brandsToo ? not(ofBrand(likePattern(filter.q ?? ''), giftCards)) : undefined
  const all = lookUps(filter).map(
    ({ from, where }) =>
      sql`select ${giftCards.id} from ${from} where ${and(listed(filter), otherBrand, where)}`,
  )
  const { rows } = await db.execute<{ count: string }>(
    sql`select count(*) as count from (${sql.join(all, sql` union `)}) as found`,
  )
  return Number(rows[0]?.count)
}
