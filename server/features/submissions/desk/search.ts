import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Page } from '#contract/values.ts'
import { cardCharactersProblem, normalizeCardNumber } from '#domain/card-number.ts'
import { type Cents, parseDollars } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { mayMoveFrom, type SortOrder, type View, viewRules } from '#domain/queue.ts'
import { endOfReference } from '#domain/reference.ts'
import type { Role } from '#domain/roles.ts'
import { type Status, statuses } from '#domain/submission.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern } from '#server/platform/database/queries.ts'
import { isAppealAgainst } from '../appeals.ts'

// Finds the ids of one page of submissions. Every condition has an index in the order of the list, so that a page takes
// the same time whatever the number of submissions. Totals come from `submission_counts`, which triggers keep, unless a
// filter narrows the list further: then the matches are counted.

export interface StaffFilter extends Narrowing {
  readonly view?: View | undefined
  readonly status?: Status | undefined
  readonly brand?: string | undefined
  readonly sort?: SortOrder | undefined
  /** Text to search for, as typed. */
  readonly q?: string | undefined
  /** The blind index of that text as a card number. */
  readonly numberIndex?: Buffer | undefined
  /** Whether the text may also be the last digits of a card number. By default it may. */
  readonly seesNumbers?: boolean | undefined
  /** Whether the text may also be the id of a transaction. */
  readonly byTransaction?: boolean | undefined
  /** Leaves out statuses in which this role can make no move. */
  readonly movableBy?: Role | undefined
  /** Lists answered submissions before all others. Searches ignore it. */
  readonly answeredFirst?: 'true' | undefined
}

/** Filters by what `submission_counts` does not have. */
interface Narrowing {
  readonly paymentType?: PaymentType | undefined
  /** Face values, both included. */
  readonly minAmount?: Cents | undefined
  readonly maxAmount?: Cents | undefined
  readonly claimed?: 'none' | 'me' | undefined
  /** The administrator whose claims are `me`. */
  readonly staffId?: string | undefined
  /** Times of submission: this or later, and before that. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Ids to leave out. */
  readonly except?: readonly string[] | undefined
  /** Leaves out appeals against this administrator, which somebody else decides. */
  readonly notAgainst?: string | undefined
}

/** A filter with the statuses of its view. Statuses, brand and cursor are values, or placeholders for them. */
interface Listed extends Narrowing {
  /** All if undefined. */
  readonly statuses?: readonly (string | Placeholder)[] | undefined
  readonly brand?: string | Placeholder | undefined
  readonly cursor?: string | Placeholder | undefined
  readonly sort: SortOrder
}

interface FoundPage {
  /** A table to join by `id`: a page of submissions and one more if there are more, each row with the `total`. */
  readonly found: SQL
  readonly order: SQL
  /**
   * Names the prepared statement of a list. Empty for a search or a narrowed list, which PostgreSQL has to plan for its
   * values.
   */
  readonly name: string
  /** Of the placeholders of a prepared statement. */
  readonly values: Record<string, unknown>
}

export function findPage({ limit, cursor: start, ...filter }: StaffFilter & Page): FoundPage {
  // Not a parameter, because PostgreSQL reuses a plan only if it knows the limit.
  const rows = sql.raw(String(limit + 1))
  const cursor = start?.replace(ANSWERED, '')
  const page = { ...filter, statuses: statusesOf(filter), sort: sortOf(filter), cursor }
  const order = sql`gift_cards.id ${directions[page.sort]}`
  if (filter.q) return { found: sql`${search(page, rows)} as found`, order, name: '', values: {} }

  const { kind, sections } = sectionsOf(filter, start)
  const { bound, values } = bind(page)
  const { statuses, brand, sort } = page
  const parts = [limit, sort, statuses && `${statuses.length}_statuses`, brand && 'brand', cursor && 'cursor']
  // Unusual limits would keep too many plans.
  const isPrepared = limit % 25 === 0 && !isNarrowed(filter)
  return {
    found: sql`${list(bound, sections, rows)} as found`,
    order: sql`found.answered desc, ${order}`,
    name: isPrepared ? [kind, ...parts].filter(Boolean).join('_') : '',
    values,
  }
}

const directions: Readonly<Record<SortOrder, SQL>> = { oldest: sql`asc`, newest: sql`desc` }

function sortOf({ sort, view }: StaffFilter): SortOrder {
  return sort ?? (view ? viewRules[view].sort : 'newest')
}

/** The statuses to list. Undefined for all. */
function statusesOf({ view = 'all', status, movableBy }: StaffFilter): readonly Status[] | undefined {
  if (view === 'all' && !movableBy) return status && [status]
  return viewRules[view].statuses.filter(
    (shown) => (!status || status === shown) && (!movableBy || mayMoveFrom(movableBy, shown)),
  )
}

/** Whether the list starts with the answered submissions. */
export function startsWithAnswered({ q, view, answeredFirst }: StaffFilter): boolean {
  return !q && Boolean(answeredFirst || (view && viewRules[view].answeredFirst))
}

/** Replaces the values of a list by placeholders. */
function bind(page: Listed): { bound: Listed; values: Record<string, unknown> } {
  const statuses = Object.fromEntries(page.statuses?.map((status, index) => [`status${index}`, status]) ?? [])
  const bound = {
    ...page,
    statuses: page.statuses && Object.keys(statuses).map((name) => sql.placeholder(name)),
    brand: page.brand && sql.placeholder('brand'),
    cursor: page.cursor && sql.placeholder('cursor'),
  }
  return { bound, values: { ...statuses, brand: page.brand, cursor: page.cursor } }
}

/** Prefix of a cursor among the answered submissions. */
const ANSWERED = 'answered.'

/** The cursor after a submission in a list with the answered ones first. */
export function answeredCursor({ id, answered }: { id: string; answered: boolean }): string {
  return answered ? `${ANSWERED}${id}` : id
}

/** The answered submissions, or the others, or both. */
interface Section {
  readonly condition: SQL
  /** Whether its rows come before those of other sections. */
  readonly first?: true
  /** The page starts in this section. */
  readonly isStart?: true
}

function sectionsOf(filter: StaffFilter, start: string | undefined): { kind: string; sections: Section[] } {
  const answered: Section = { condition: sql`and answered`, first: true, isStart: true }
  const others: Section = { condition: sql`and not answered` }
  if (!startsWithAnswered(filter)) return { kind: 'all', sections: [{ condition: sql``, isStart: true }] }
  if (!start || start.startsWith(ANSWERED)) return { kind: 'answered_first', sections: [answered, others] }
  return { kind: 'not_answered', sections: [{ ...others, isStart: true }] }
}

/** Reads each section and each status separately, because they have an index in the order of the list. */
function list(filter: Listed, sections: readonly Section[], rows: SQL): SQL {
  const direction = directions[filter.sort]
  const reads = sections.flatMap(({ condition, first, isStart }) =>
    eachStatus(filter).map(
      (statuses) => sql`(
        select id, ${sql.raw(String(Boolean(first)))} as answered from gift_cards
        where cleared_at is null ${condition} ${matches({ ...filter, statuses })} ${narrowed(filter)}
          ${isStart ? after(filter) : sql``}
        order by id ${direction} limit ${rows}
      )`,
    ),
  )
  return sql`(
    select id, answered, ${countListed(filter)} as total from (${sql.join(reads, sql` union all `)}) as sections
    order by answered desc, id ${direction} limit ${rows}
  )`
}

/** The index by payment type starts with the status, so it needs one. */
function eachStatus({ statuses: given, paymentType }: Listed): Listed['statuses'][] {
  const each = given ?? (paymentType && statuses)
  return each?.length ? each.map((status) => [status]) : [each]
}

function after({ cursor, sort }: Listed): SQL {
  if (!cursor) return sql``
  return sort === 'oldest' ? sql`and gift_cards.id > ${cursor}` : sql`and gift_cards.id < ${cursor}`
}

/**
 * A text matches an id, brand, seller, amount, card number or last four digits. Each is looked up separately, up to one
 * page: joined by OR, one common match would slow down all. The brands' lateral join reads each brand's newest from its index.
 */
function search(filter: Searched, rows: SQL): SQL {
  const direction = directions[filter.sort]
  const page = sql`
    and cleared_at is null ${matches(filter)} ${narrowed(filter)} ${after(filter)}
    order by gift_cards.id ${direction} limit ${rows}`
  const others = lookups(filter).map((lookup) => sql`(select gift_cards.id ${lookup} ${page})`)
  return sql`(
    with ${brandsAndSellers(filter)}
    select id, ${countFound(filter)} as total from (
      (
        select newest.id from brands cross join lateral (
          select id from gift_cards where ${isFoundBrand} ${page}
        ) as newest
      ) union ${sql.join(others, sql` union `)}
    ) as each_lookup order by id ${direction} limit ${rows}
  )`
}

type Searched = Listed & StaffFilter

/** The total of a page's filter: from its first row, or from the database if the page is past the end. */
export async function totalOf(
  db: Executor,
  [row]: readonly { total: string }[],
  { cursor, limit, ...filter }: StaffFilter & Page,
): Promise<number> {
  if (row || !cursor) return Number(row?.total ?? 0)
  const listed = { ...filter, statuses: statusesOf(filter), sort: sortOf(filter) }
  const total = filter.q
    ? sql`(with ${brandsAndSellers(listed)} select ${countFound(listed)})`
    : countListed(listed)
  const { rows } = await db.execute<{ total: string }>(sql`select ${total} as total`)
  return Number(rows[0]?.total)
}

function countListed(filter: Listed): SQL {
  // Few submissions are claimed at a time, so those are counted.
  if (filter.claimed === 'none') {
    const claimed = sql`(
      select count(*) from claims join gift_cards on gift_cards.id = claims.gift_card_id
      where until > now() and cleared_at is null ${matches(filter)} ${narrowed({ ...filter, claimed: undefined })}
    )`
    return sql`(${countListed({ ...filter, claimed: undefined })} - ${claimed})`
  }
  if (isNarrowed(filter)) {
    return sql`(select count(*) from gift_cards where cleared_at is null ${matches(filter)} ${narrowed(filter)})`
  }
  return sql`(select coalesce(sum(count), 0) from submission_counts where true ${matches(filter)})`
}

/** Whether a submission has not been cleared and has a status of the filter. */
export function isListed(filter: StaffFilter): SQL {
  return sql`cleared_at is null ${matches({ statuses: statusesOf(filter) })}`
}

/** Counts submissions of the found brands, and others that a lookup finds. */
function countFound(filter: Searched): SQL {
  const others = lookups(filter).map(
    (lookup) => sql`
      select gift_cards.id ${lookup} and cleared_at is null ${matches(filter)} ${narrowed(filter)}
        and not ${brandMatches(filter)}`,
  )
  const ofBrands = isNarrowed(filter)
    ? sql`
      select count(*) from gift_cards
      where exists (select 1 from brands where ${isFoundBrand}) and cleared_at is null ${matches(filter)} ${narrowed(filter)}`
    : sql`select coalesce(sum(count), 0) from brands`
  return sql`((${ofBrands}) + (select count(*) from (${sql.join(others, sql` union `)}) as others))`
}

/** The ids of all submissions that a text may mean, without those of brands, as a subquery. Leaves out cleared ones. */
export function foundIds(filter: Pick<StaffFilter, 'q' | 'numberIndex'>): SQL {
  const found = lookups(filter).map((lookup) => sql`select gift_cards.id ${lookup} and cleared_at is null`)
  return sql`(
    with sellers as materialized (select id from users where ${sellerMatches(filter.q ?? '')})
    ${sql.join(found, sql` union `)}
  )`
}

/** Conditions on `gift_cards` or `submission_counts`, which have the same columns. */
function matches({ statuses, brand }: Pick<Listed, 'statuses' | 'brand'>): SQL {
  const isBrand = brand === undefined ? sql`` : sql`and brand = ${brand}`
  if (statuses === undefined) return isBrand
  if (statuses.length === 0) return sql`and false`
  const [status, ...more] = statuses
  if (more.length === 0) return sql`and status = ${status} ${isBrand}`
  return sql`and status in (${sql.join([...statuses], sql`, `)}) ${isBrand}`
}

function isNarrowed(filter: Narrowing): boolean {
  const { paymentType, minAmount, maxAmount, claimed, from, to, except, notAgainst } = filter
  return [paymentType, minAmount, maxAmount, claimed, from, to, except, notAgainst].some(
    (value) => value !== undefined,
  )
}

/** Conditions on `gift_cards`. */
function narrowed(filter: Narrowing): SQL {
  const { paymentType, minAmount, maxAmount, claimed, staffId, from, to, except, notAgainst } = filter
  const claims = sql`select gift_card_id from claims where until > now()`
  return sql.join(
    [
      paymentType === undefined ? sql`` : sql`and payment_type = ${paymentType}`,
      minAmount === undefined ? sql`` : sql`and denomination >= ${minAmount}`,
      maxAmount === undefined ? sql`` : sql`and denomination <= ${maxAmount}`,
      from === undefined ? sql`` : sql`and gift_cards.id >= ${firstIdAt(from)}`,
      to === undefined ? sql`` : sql`and gift_cards.id < ${firstIdAt(to)}`,
      claimed === 'none' ? sql`and not exists (${claims} and gift_card_id = gift_cards.id)` : sql``,
      claimed === 'me' ? sql`and gift_cards.id in (${claims} and administrator_id = ${staffId})` : sql``,
      except?.length ? sql`and gift_cards.id not in ${except}` : sql``,
      notAgainst === undefined ? sql`` : sql`and not ${isAppealAgainst(notAgainst)}`,
    ],
    sql` `,
  )
}

/** The lowest id of a submission at this time. Ids start with the milliseconds since 1970 (RFC 9562, section 5.7). */
function firstIdAt(time: string): string {
  const milliseconds = Math.max(0, Date.parse(time)).toString(16).padStart(12, '0')
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`
}

function brandMatches({ q = '' }: StaffFilter): SQL {
  const pattern = likePattern(q)
  return sql`(brand like ${pattern} or lower(brand_name) like ${pattern})`
}

/** Brands with the number of their submissions, and sellers. A brand has a `name` if only its name matches. */
function brandsAndSellers(filter: Searched): SQL {
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

/**
 * A condition on `users`. Many emails share a domain, so the index is asked for the part before the @. Usernames have no @.
 */
export function sellerMatches(q: string): SQL {
  const [local = '', domain] = q.split('@')
  const pattern = likePattern(q)
  if (domain === undefined) return sql`lower(username) like ${pattern} or lower(email) like ${pattern}`
  if (local.length < MIN_INDEXED) return sql`lower(email) like ${pattern}`
  return sql`lower(email) like ${likePattern(`${local}@`)} and strpos(lower(email), ${q.toLowerCase()}) > 0`
}

/** `from … where …` for everything that the text may be, except brands. */
function lookups({ q = '', numberIndex, seesNumbers = true, byTransaction }: StaffFilter): SQL[] {
  const byCard = (condition: SQL) => sql`from gift_cards where ${condition}`
  const viaTransaction = (condition: SQL) =>
    sql`from transactions join gift_cards on gift_cards.id = transactions.gift_card_id where ${condition}`
  const found = [byCard(sql`seller_id in (select id from sellers)`)]
  if (numberIndex) found.push(byCard(sql`card_number_index = ${numberIndex}`))
  // An amount such as $25.00 has four digits too.
  const number = cardCharactersProblem(q) ? '' : normalizeCardNumber(q)
  if (seesNumbers && number !== '' && number.length <= 4)
    found.push(byCard(sql`card_number_last_four = ${number}`))
  const cents = parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))
  if (cents !== undefined) {
    found.push(byCard(sql`denomination = ${cents}`), byCard(sql`selling_price = ${cents}`))
  }
  if (isUuid(q)) {
    found.push(byCard(sql`gift_cards.id = ${q}`))
    if (byTransaction) found.push(viaTransaction(sql`transactions.id = ${q}`))
  } else if (/^[0-9a-f-]{1,36}$/i.test(q)) {
    // Parts of ids are indexed there.
    const byPart = (part: string) =>
      viaTransaction(sql`transactions.gift_card_id::text like ${likePattern(part)}`)
    found.push(byPart(q))
    const end = endOfReference(q)
    if (end) found.push(byPart(end))
    if (end && byTransaction) found.push(viaTransaction(sql`right(transactions.id::text, 8) = ${end}`))
  }
  return found
}
