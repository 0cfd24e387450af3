import type { InfiniteData } from '@tanstack/react-query'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { Page } from '#web/wire/call.ts'
import type { Filters } from './use-view.ts'

export type LoadedList = InfiniteData<Page<StaffSubmission>, string | undefined>

export type ListFilters = Partial<Filters> & { readonly answeredFirst?: 'true' }

/** Lists are sorted by this, descending. Ids start with the time, so the newest come first, or the answered ones. */
function rankOf({ id, answered }: StaffSubmission, { answeredFirst }: ListFilters): string {
  return answeredFirst && answered ? ANSWERED + id : id
}

/** Sorts after every id. */
const ANSWERED = '~'

/** Whether a submission matches the status and brand. Only the server can search. */
function fits({ status, brand }: StaffSubmission, filters: ListFilters): boolean {
  return (!filters.status || filters.status === status) && (!filters.brand || filters.brand === brand)
}

/** Changes one submission. Returns the same list if the submission is not in it. */
export function withRow(
  list: LoadedList,
  id: string,
  change: (row: StaffSubmission) => StaffSubmission,
): LoadedList {
  if (!list.pages.some(({ rows }) => rows.some((row) => row.id === id))) return list
  return mapPages(list, (rows) => rows.map((row) => (row.id === id ? change(row) : row)))
}

/** Updates a submission in the list: changes, removes, moves or adds it. */
export function placed(list: LoadedList, now: StaffSubmission, filters: ListFilters): LoadedList {
  const rank = (row: StaffSubmission) => rankOf(row, filters)
  const before = list.pages.flatMap(({ rows }) => rows).find(({ id }) => id === now.id)
  if (before && fits(now, filters) && rank(before) === rank(now)) return withRow(list, now.id, () => now)
  if (before) return placed(counted(without(list, now.id), -1), now, filters)
  if (!fits(now, filters) || filters.q) return list
  const pageIndex = list.pages.findIndex(
    ({ cursor }) => cursor === undefined || cursor.replace('answered.', ANSWERED) <= rank(now),
  )
  if (pageIndex < 0) return list
  const joined = mapPages(list, (rows, index) =>
    index === pageIndex ? [...rows, now].sort((one, other) => (rank(one) < rank(other) ? 1 : -1)) : rows,
  )
  return counted(joined, 1)
}

/**
 * Puts a fresh first page above the loaded list. Drops the rest if more has arrived than a page holds, because rows in
 * between would be missing.
 */
export function withTop(list: LoadedList, top: Page<StaffSubmission>, filters: ListFilters): LoadedList {
  const rank = (row: StaffSubmission) => rankOf(row, filters)
  const last = top.rows.at(-1)
  const alone = { pages: [top], pageParams: [undefined] }
  if (last === undefined || top.cursor === undefined) return alone
  const end = rank(last)
  const fresh = new Set(top.rows.map(({ id }) => id))
  const meets = list.pages.some(({ rows }) => rows.some((row) => rank(row) >= end))
  if (!meets) return alone
  const below = list.pages
    .map((page) => ({ ...page, rows: page.rows.filter((row) => rank(row) < end && !fresh.has(row.id)) }))
    .filter(({ rows }) => rows.length > 0)
  const pages = [top, ...below]
  return { pages, pageParams: [undefined, ...pages.slice(0, -1).map(({ cursor }) => cursor)] }
}

function without(list: LoadedList, gone: string): LoadedList {
  return mapPages(list, (rows) => rows.filter(({ id }) => id !== gone))
}

function mapPages(
  list: LoadedList,
  change: (rows: StaffSubmission[], at: number) => StaffSubmission[],
): LoadedList {
  return { ...list, pages: list.pages.map((page, at) => ({ ...page, rows: change(page.rows, at) })) }
}

function counted(list: LoadedList, difference: 1 | -1): LoadedList {
  return { ...list, pages: list.pages.map((page) => ({ ...page, total: page.total + difference })) }
}
