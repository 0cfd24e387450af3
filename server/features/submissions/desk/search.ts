import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Page } from '#contract/values.ts'
import { normalizeCardNumber } from '#domain/card-number.ts'
import { parseDollars } from '#domain/money.ts'
import type { Status } from '#domain/submission.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern } from '#server/platform/database/queries.ts'

// Finds the ids of one page of submissions. Every condition has an index in the order of the list, so that a page takes
// the same time whatever the number of submissions. Totals come from `submission_counts`, which triggers keep.

export interface StaffFilter {
  readonly status?: Status | undefined
  readonly brand?: string | undefined
  /** Text to search for, as typed. */
  readonly q?: string | undefined
  /** The blind index of that text as a card number. */
  readonly numberIndex?: Buffer | undefined
  /** Whether the text may also be the id of a transaction. */
  readonly byTransaction?: boolean | undefined
  /** Lists answered submissions before all others. Searches ignore it. */
  readonly answeredFirst?: 'true' | undefined
}

/** The filter of a list: values, or placeholders for them. */
type Listed = { readonly [Key in 'status' | 'brand']?: string | Placeholder | undefined }

interface FoundPage {
  /** A table to join by `id`: a page of submissions and one more if there are more, each row with the `total`. */
  readonly found: SQL
  readonly order: SQL
  /** Names the prepared statement of a list. Empty for a search, which PostgreSQL has to plan for its text. */
  readonly name: string
  /** Of the placeholders of a prepared statement. */
  readonly values: Record<string, unknown>
}

export function findPage({ limit, cursor: start, ...filter }: StaffFilter & Page): FoundPage {
  // Not a parameter, because PostgreSQL reuses a plan only if it knows the limit.
  const rows = sql.raw(String(limit + 1))
  const order = sql`gift_cards.id desc`
  const { status, brand, q } = filter
  const cursor = start?.replace(ANSWERED, '')
  if (q) return { found: sql`${search(filter, after(cursor), rows)} as found`, order, name: '', values: {} }
  const values = { status, brand, cursor }
  const bound = {
    status: status && sql.placeholder('status'),
    brand: brand && sql.placeholder('brand'),
  }
  const before = after(cursor && sql.placeholder('cursor'))
  const parts = [limit, status && 'status', brand && 'brand', cursor && 'cursor'].filter(Boolean)
  // Unusual limits would keep too many plans.
  const name = (list: string) => (limit % 25 === 0 ? [list, ...parts].join('_') : '')
  if (!filter.answeredFirst)
    return { found: sql`${list(bound, before, rows)} as found`, order, name: name('all'), values }
  if (start && !start.startsWith(ANSWERED)) {
    const notAnswered = sql`and not answered ${before}`
    return {
      found: sql`${list(bound, notAnswered, rows)} as found`,
      order,
      name: name('not_answered'),
      values,
    }
  }
  return {
    found: sql`${answeredFirst(bound, before, rows)} as found`,
    order: sql`found.answered desc, ${order}`,
    name: name('answered_first'),
    values,
  }
}

function after(cursor: string | Placeholder | undefined): SQL {
  return cursor ? sql`and gift_cards.id < ${cursor}` : sql``
}

/** Prefix of a cursor among the answered submissions. */
const ANSWERED = 'answered.'

/** The cursor after a submission in a list with the answered ones first. */
export function answeredCursor({ id, answered }: { id: string; answered: boolean }): string {
  return answered ? `${ANSWERED}${id}` : id
}

function list(filter: Listed, before: SQL, rows: SQL): SQL {
  return sql`(
    select id, ${countListed(filter)} as total from gift_cards
    where cleared_at is null ${matches(filter)} ${before}
    order by id desc limit ${rows}
  )`
}

/** Reads both kinds separately, because the few answered submissions have their own index. */
function answeredFirst(filter: Listed, before: SQL, rows: SQL): SQL {
  return sql`(
    select id, answered, ${countListed(filter)} as total from (
      (
        select id, answered from gift_cards where cleared_at is null and answered ${matches(filter)} ${before}
        order by id desc limit ${rows}
      ) union all (
        select id, answered from gift_cards where cleared_at is null and not answered ${matches(filter)}
        order by id desc limit ${rows}
      )
    ) as both_kinds order by answered desc, id desc limit ${rows}
  )`
}

/**
 * A text matches an id, brand, seller, amount, card number or last four digits. Each is looked up separately, up to one
 * page: joined by OR, one common match would slow down all. The brands' lateral join reads each brand's newest from its index.
 */
function search(filter: StaffFilter, before: SQL, rows: SQL): SQL {
  const page = sql`and cleared_at is null ${matches(filter)} ${before} order by gift_cards.id desc limit ${rows}`
  const others = lookups(filter).map((lookup) => sql`(select gift_cards.id ${lookup} ${page})`)
  return sql`(
    with ${brandsAndSellers(filter)}
    select id, ${countFound(filter)} as total from (
      (
        select newest.id from brands cross join lateral (
          select id from gift_cards where ${isFoundBrand} ${page}
        ) as newest
      ) union ${sql.join(others, sql` union `)}
    ) as each_lookup order by id desc limit ${rows}
  )`
}

/** The total of a page's filter: from its first row, or from the database if the page is past the end. */
export async function totalOf(
  db: Executor,
  [row]: readonly { total: string }[],
  { cursor, limit, ...filter }: StaffFilter & Page,
): Promise<number> {
  if (row || !cursor) return Number(row?.total ?? 0)
  const total = filter.q
    ? sql`(with ${brandsAndSellers(filter)} select ${countFound(filter)})`
    : countListed(filter)
  const { rows } = await db.execute<{ total: string }>(sql`select ${total} as total`)
  return Number(rows[0]?.total)
}

function countListed(filter: Listed): SQL {
  return sql`(select coalesce(sum(count), 0) from submission_counts where true ${matches(filter)})`
}

/** Counts submissions of the found brands, and others that a lookup finds. */
function countFound(filter: StaffFilter): SQL {
  const others = lookups(filter).map(
    (lookup) =>
      sql`select gift_cards.id ${lookup} and cleared_at is null ${matches(filter)} and not ${brandMatches(filter)}`,
  )
  return sql`(
    (select coalesce(sum(count), 0) from brands) + (select count(*) from (${sql.join(others, sql` union `)}) as others)
  )`
}

/** Conditions on `gift_cards` or `submission_counts`, which have the same columns. */
function matches({ status, brand }: Listed): SQL {
  const isStatus = status === undefined ? sql`` : sql`and status = ${status}`
  return brand === undefined ? isStatus : sql`${isStatus} and brand = ${brand}`
}

function brandMatches({ q = '' }: StaffFilter): SQL {
  const pattern = likePattern(q)
  return sql`(brand like ${pattern} or lower(brand_name) like ${pattern})`
}

/** Brands with the number of their submissions, and sellers. A brand has a `name` if only its name matches. */
function brandsAndSellers(filter: StaffFilter): SQL {
  const { q = '' } = filter
  return sql`
    brands as materialized (
      select brand, case when brand like ${likePattern(q)} then null else brand_name end as name, sum(count) as count
      from submission_counts where ${brandMatches(filter)} ${matches(filter)}
      group by 1, 2 having sum(count) > 0
    ),
    sellers as materialized (select id from users where ${sellerMatches(q)})`
}

/**
 * `case`, because the planner expects it to be true for half of the rows. It would expect an AND to be true for very few,
 * and sort all submissions of a brand instead of reading the newest.
 */
const isFoundBrand = sql`gift_cards.brand = brands.brand
  and case when brands.name is null then true else gift_cards.brand_name = brands.name end`

/** The trigram indexes need three characters. */
const MIN_INDEXED = 3

/** Many emails share a domain, so the index is asked for the part before the @. Usernames have no @. */
function sellerMatches(q: string): SQL {
  const [local = '', domain] = q.split('@')
  const pattern = likePattern(q)
  if (domain === undefined) return sql`lower(username) like ${pattern} or lower(email) like ${pattern}`
  if (local.length < MIN_INDEXED) return sql`lower(email) like ${pattern}`
  return sql`lower(email) like ${likePattern(`${local}@`)} and strpos(lower(email), ${q.toLowerCase()}) > 0`
}

/** `from … where …` for everything that the text may be, except brands. */
function lookups({ q = '', numberIndex, byTransaction }: StaffFilter): SQL[] {
  const byCard = (condition: SQL) => sql`from gift_cards where ${condition}`
  const viaTransaction = (condition: SQL) =>
    sql`from transactions join gift_cards on gift_cards.id = transactions.gift_card_id where ${condition}`
  const found = [byCard(sql`seller_id in (select id from sellers)`)]
  if (numberIndex) found.push(byCard(sql`card_number_index = ${numberIndex}`))
  const number = normalizeCardNumber(q)
  if ([...number].length <= 4) found.push(byCard(sql`card_number_last_four = ${number}`))
  const cents = parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))
  if (cents !== undefined) {
    found.push(byCard(sql`denomination = ${cents}`), byCard(sql`selling_price = ${cents}`))
  }
  if (isUuid(q)) {
    found.push(byCard(sql`gift_cards.id = ${q}`))
    if (byTransaction) found.push(viaTransaction(sql`transactions.id = ${q}`))
  } else if (/^[0-9a-f-]{1,36}$/i.test(q)) {
    // Parts of ids are indexed there.
    found.push(viaTransaction(sql`transactions.gift_card_id::text like ${likePattern(q)}`))
  }
  return found
}
