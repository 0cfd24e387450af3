import type { QueryInput } from '#contract/route.ts'
import type { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import { viewRules } from '#domain/queue.ts'
import { type LoadedList, mapPages, withRow } from '../list/loaded-list.ts'

type Submissions = LoadedList<StaffSubmission>

/** The query of a list. */
export type ListFilters = Partial<QueryInput<typeof routes.staffSubmissions>>

type Row = Pick<StaffSubmission, 'id' | 'answered'>

/**
 * Lists are sorted by this, descending. Ids start with the time, so the newest come first, or with their digits inverted
 * the oldest.
 */
export function rankBy({ view = 'all', q, answeredFirst }: ListFilters): (row: Row) => string {
  const rule = viewRules[view]
  const answersFirst = !q && (answeredFirst || rule.answeredFirst)
  return ({ id, answered }) =>
    (answersFirst && answered ? ANSWERED : '') + (rule.sort === 'oldest' ? inverted(id) : id)
}

/** Sorts after every id. */
const ANSWERED = '~'

function inverted(id: string): string {
  return id.replace(/[\da-f]/gi, (digit) => (15 - Number.parseInt(digit, 16)).toString(16))
}

/** Whether a submission matches the filters, except a search and claims, which only the server knows. */
function fits(row: StaffSubmission, filters: ListFilters): boolean {
  const { view = 'all', status = row.status, brand = row.brand, paymentType = row.paymentType, to } = filters
  const { minAmount = 0, maxAmount = Infinity } = filters
  const amount = Number(row.denomination)
  return (
    (view === 'all' || viewRules[view].statuses.includes(row.status)) &&
    status === row.status &&
    brand === row.brand &&
    paymentType === row.paymentType &&
    !(amount < Number(minAmount) || amount > Number(maxAmount)) &&
    (!to || Date.parse(row.createdAt) < Date.parse(to))
  )
}

/** Updates a submission in the list: changes, removes, moves or adds it. */
export function placed(list: Submissions, now: StaffSubmission, filters: ListFilters): Submissions {
  const rank = rankBy(filters)
  const before = list.pages.flatMap(({ rows }) => rows).find(({ id }) => id === now.id)
  if (before && fits(now, filters) && rank(before) === rank(now)) return withRow(list, now.id, () => now)
  if (before) return placed(counted(without(list, now.id), -1), now, filters)
  if (!fits(now, filters) || filters.q || filters.claimed) return list
  const pageIndex = list.pages.findIndex(
    ({ cursor }) => cursor === undefined || rank(rowAt(cursor)) <= rank(now),
  )
  if (pageIndex < 0) return list
  const joined = mapPages(list, (rows, index) =>
    index === pageIndex ? [...rows, now].sort((one, other) => (rank(one) < rank(other) ? 1 : -1)) : rows,
  )
  return counted(joined, 1)
}

/** The last row of the page before a cursor. */
function rowAt(cursor: string): Row {
  return { id: cursor.replace('answered.', ''), answered: cursor.startsWith('answered.') }
}

function without(list: Submissions, gone: string): Submissions {
  return mapPages(list, (rows) => rows.filter(({ id }) => id !== gone))
}

function counted(list: Submissions, difference: 1 | -1): Submissions {
  const total = list.pages[0]?.total ?? 0
  return total > MAX_COUNTED ? list : withTotal(list, total + difference)
}

export function withTotal(list: Submissions, total: number): Submissions {
  return { ...list, pages: list.pages.map((page) => ({ ...page, total })) }
}
