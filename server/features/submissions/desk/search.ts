import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Page } from '#contract/values.ts'
import { cardCharactersProblem, normalizeCardNumber } from '#domain/card-number.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import { type Cents, parseDollars } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { mayMoveFrom, type SortOrder, type View, viewRules } from '#domain/queue.ts'
import { endOfReference } from '#domain/reference.ts'
import { may, type Role } from '#domain/roles.ts'
import { type Status, statuses } from '#domain/submission.ts'
import { isOfSeller } from '#server/features/accounts/seller-search.ts'
import { isCurrentClaim } from '#server/features/claims/actions.ts'
import { cappedCount } from '#server/http/paging.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern, onlyRow } from '#server/platform/database/queries.ts'
import { isAppealAgainst } from '../appeals.ts'
import { failedForAccount } from '../queries.ts'

// Finds the ids of one page of submissions, and their total. Every condition has an index, and totals are counted up to 1,000,
// so that a page takes the same time whatever the number of submissions.

export interface StaffFilter extends Narrowing, Search {
  readonly view?: View | undefined
  readonly status?: Status | undefined
  readonly brand?: string | undefined
  readonly sort?: SortOrder | undefined
  /** Leaves out statuses in which this role can make no move. */
  readonly movableBy?: Role | undefined
  /** Lists answered submissions before all others. Searches ignore it. */
  readonly answeredFirst?: 'true' | undefined
}

interface Search {
  /** Text to search for, as typed. */
  readonly q?: string | undefined
  /** The role of the person who searches. It decides what the text may be. */
  readonly role: Role
  /** The blind index of that text as a card number. */
  readonly numberIndex?: Buffer | undefined
}

/** Filters with too many combinations to prepare a statement for each. */
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
  /** What the text of a search may be. */
  readonly found?: SQL | undefined
  /** All if undefined. */
  readonly statuses?: readonly (string | Placeholder)[] | undefined
  readonly view?: View | undefined
  readonly brand?: string | Placeholder | undefined
  readonly cursor?: string | Placeholder | undefined
  readonly sort: SortOrder
}

export interface FoundPage {
  /** A table to join by `id`: a page of submissions and one more if there are more, each row with the `total`. */
  readonly found: SQL
  readonly order: SQL
  /**
   * Names the prepared statement of a list. Empty for a search or a narrowed list, which PostgreSQL has to plan for its
   * values.
   */
  readonly name: string
  /** The values for the placeholders of a prepared statement. */
  readonly values: Record<string, unknown>
  /** The total of the filter, as a subquery. */
  readonly total: SQL
}

export async function findPage(
  db: Executor,
  { limit, cursor: start, ...filter }: StaffFilter & Page,
): Promise<FoundPage> {
  // A literal, because PostgreSQL reuses a plan only if it knows the limit.
  const rows = sql.raw(String(limit + 1))
  const cursor = start?.replace(ANSWERED, '')
  const found = filter.q ? await searchCondition(db, { ...filter, q: filter.q }) : undefined
  const page = { ...filter, found, statuses: statusesOf(filter), sort: sortOf(filter), cursor }
  const { kind, sections } = sectionsOf(filter, start)
  const { bound, values } = bind(page)
  const { statuses, brand, sort } = page
  const failed = filter.view && viewRules[filter.view].failed
  const parts = [
    limit,
    sort,
    failed,
    statuses && `${statuses.length}_statuses`,
    brand && 'brand',
    cursor && 'cursor',
  ]
  // Unusual limits would keep too many plans.
  const isPrepared = limit % 25 === 0 && !isNarrowed(page)
  return {
    found: sql`${list(bound, sections, rows)} as found`,
    order: sql`found.answered desc, gift_cards.id ${directions[sort]}`,
    name: isPrepared ? [kind, ...parts].filter(Boolean).join('_') : '',
    values,
    total: countListed(page),
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
export function startsWithAnswered({
  q,
  view,
  answeredFirst,
}: Pick<StaffFilter, 'q' | 'view' | 'answeredFirst'>): boolean {
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

/** A list reads each status by itself. The index by payment type starts with the status, so it needs one. */
function eachStatus({ statuses: given, paymentType, found }: Listed): Listed['statuses'][] {
  const each = given ?? (paymentType && statuses)
  return each?.length && !found ? each.map((status) => [status]) : [each]
}

function after({ cursor, sort }: Listed): SQL {
  if (!cursor) return sql``
  return sort === 'oldest' ? sql`and gift_cards.id > ${cursor}` : sql`and gift_cards.id < ${cursor}`
}

/** The total of a page's filter: from its first row, or from the database if the page is past the end. */
export async function totalOf(
  db: Executor,
  [row]: readonly { total: number }[],
  { total, cursor }: Pick<FoundPage, 'total'> & Partial<Page>,
): Promise<number> {
  if (row || !cursor) return row?.total ?? 0
  return onlyRow((await db.execute<{ total: number }>(sql`select ${total} as total`)).rows).total
}

/** A list is counted in the order of its index, so that PostgreSQL reads no more than it counts. */
function countListed(filter: Listed): SQL {
  const order = filter.found ? sql`` : sql`order by id desc`
  const reads = eachStatus(filter).map(
    (statuses) => sql`(
      select from gift_cards where cleared_at is null ${matches({ ...filter, statuses })} ${narrowed(filter)}
      ${order} limit ${sql.raw(String(MAX_COUNTED + 1))}
    )`,
  )
  return cappedCount(sql.join(reads, sql` union all `))
}

/** Whether a submission has not been cleared and has a status of the filter. */
export function isListed(filter: StaffFilter): SQL {
  return sql`cleared_at is null ${matches({ statuses: statusesOf(filter) })}`
}

/** Which of the failed submissions belong to a view. */
export function failedOf(view: View = 'all'): SQL {
  const { failed } = viewRules[view]
  if (!failed) return sql``
  return sql`and (status <> 'failed' or ${failed === 'account' ? failedForAccount : sql`not ${failedForAccount}`})`
}

function matches({ statuses, brand }: Pick<Listed, 'statuses' | 'brand'>): SQL {
  const isBrand = brand === undefined ? sql`` : sql`and brand = ${brand}`
  if (statuses === undefined) return isBrand
  if (statuses.length === 0) return sql`and false`
  const [status, ...more] = statuses
  if (more.length === 0) return sql`and status = ${status} ${isBrand}`
  return sql`and status in (${sql.join([...statuses], sql`, `)}) ${isBrand}`
}

function isNarrowed(filter: Listed): boolean {
  const { paymentType, minAmount, maxAmount, claimed, from, to, except, notAgainst, found } = filter
  return [paymentType, minAmount, maxAmount, claimed, from, to, except, notAgainst, found].some(
    (value) => value !== undefined,
  )
}

function narrowed(filter: Listed): SQL {
  const { view, paymentType, minAmount, maxAmount, claimed, staffId, from, to, except, notAgainst, found } =
    filter
  const claims = sql`select gift_card_id from claims where ${isCurrentClaim}`
  return sql.join(
    [
      failedOf(view),
      paymentType === undefined ? sql`` : sql`and payment_type = ${paymentType}`,
      minAmount === undefined ? sql`` : sql`and denomination >= ${minAmount}`,
      maxAmount === undefined ? sql`` : sql`and denomination <= ${maxAmount}`,
      from === undefined ? sql`` : sql`and gift_cards.id >= ${firstIdAt(from)}`,
      to === undefined ? sql`` : sql`and gift_cards.id < ${firstIdAt(to)}`,
      claimed === 'none' ? sql`and not exists (${claims} and gift_card_id = gift_cards.id)` : sql``,
      claimed === 'me' ? sql`and gift_cards.id in (${claims} and administrator_id = ${staffId})` : sql``,
      except?.length ? sql`and gift_cards.id not in ${except}` : sql``,
      notAgainst === undefined ? sql`` : sql`and not ${isAppealAgainst(notAgainst)}`,
      found === undefined ? sql`` : sql`and ${found}`,
    ],
    sql` `,
  )
}

/** The lowest id of a submission at this time. Ids start with the milliseconds since 1970 (RFC 9562, section 5.7). */
function firstIdAt(time: string): string {
  const milliseconds = Math.max(0, Date.parse(time)).toString(16).padStart(12, '0')
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000`
}

/** Every word is searched for by itself. Longer texts are only searched for as a whole. */
const MAX_WORDS = 4

/** A condition on `gift_cards`: the text as a whole, or each of its words, so that "grace 108" finds Grace's card of $108. */
export async function searchCondition(db: Executor, search: Search & { q: string }): Promise<SQL> {
  const whole = await waysToFind(db, search)
  const words = [...new Set(search.q.split(/\s+/))]
  if (words.length < 2 || words.length > MAX_WORDS) return whole
  const each: SQL[] = []
  for (const q of words) each.push(await waysToFind(db, { q, role: search.role }))
  return sql`(${whole} or (${sql.join(each, sql` and `)}))`
}

/**
 * Everything that the text may be. `search_text` has the brand and the id. Each way has an index, and PostgreSQL reads them all
 * at once, or the list until the page is full, whichever it expects to be less.
 */
async function waysToFind(db: Executor, { q, role, numberIndex }: Search & { q: string }): Promise<SQL> {
  const ways = [isUuid(q) ? sql`gift_cards.id = ${q}` : sql`gift_cards.search_text like ${likePattern(q)}`]
  const ofSeller = await isOfSeller(db, sql`gift_cards.seller_id`, q, role)
  if (ofSeller) ways.push(ofSeller)
  if (may(role, 'see_details')) {
    const number = cardCharactersProblem(q) ? '' : normalizeCardNumber(q)
    if (numberIndex) ways.push(sql`gift_cards.card_number_index = ${numberIndex}`)
    if (number !== '' && number.length <= 4) ways.push(sql`gift_cards.card_number_last_four = ${number}`)
  }
  const cents = parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))
  if (cents !== undefined)
    ways.push(sql`gift_cards.denomination = ${cents}`, sql`gift_cards.selling_price = ${cents}`)
  const end = endOfReference(q)
  // The id is the end of the text.
  if (end) ways.push(sql`gift_cards.search_text like ${`%${end}`}`)
  // The list of transactions shows their own ids.
  if (end || isUuid(q)) {
    const isNamed = end ? sql`right(id::text, 8) = ${end}` : sql`id = ${q}`
    ways.push(sql`gift_cards.id = any(array(select gift_card_id from transactions where ${isNamed}))`)
  }
  return sql`(${sql.join(ways, sql` or `)})`
}
