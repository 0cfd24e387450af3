import type { InfiniteData } from '@tanstack/react-query'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { Page } from '../../api/call.ts'
import type { Filters } from './view.ts'

/** A list as far as it was loaded: newest first, in pages that each begin where the one before ended. */
export type LoadedList = InfiniteData<Page<StaffSubmission>, string | undefined>

/** What the server would say, as far as it can be told from here: only the server searches. */
export function fits({ status, brand }: StaffSubmission, filters: Partial<Filters>): boolean {
  return (!filters.status || filters.status === status) && (!filters.brand || filters.brand === brand)
}

/** The list with one of its submissions changed; the very same list when it isn't loaded. */
export function withRow(
  list: LoadedList,
  id: string,
  change: (row: StaffSubmission) => StaffSubmission,
): LoadedList {
  if (!list.pages.some(({ rows }) => rows.some((row) => row.id === id))) return list
  return mapPages(list, (rows) => rows.map((row) => (row.id === id ? change(row) : row)))
}

/** The list with a submission as it is now: changed where it stands, taken out, or put where it belongs. */
export function placed(list: LoadedList, now: StaffSubmission, filters: Partial<Filters>): LoadedList {
  const isLoaded = list.pages.some(({ rows }) => rows.some(({ id }) => id === now.id))
  if (isLoaded && fits(now, filters)) return withRow(list, now.id, () => now)
  if (isLoaded) return counted(without(list, now.id), -1)
  if (!fits(now, filters) || filters.q) return list
  const last = list.pages.length - 1
  const home = list.pages.findIndex(
    ({ rows, cursor }, at) => (rows.at(-1)?.id ?? '') < now.id || (at === last && !cursor),
  )
  if (home < 0) return list
  const joined = mapPages(list, (rows, at) => (at === home ? [...rows, now].sort(byNewest) : rows))
  return counted(joined, 1)
}

/**
 * The list with its first page fetched anew; what lies below it stays as it was loaded. When the two no longer
 * meet, because more has arrived than a page holds, it begins anew.
 */
export function withTop(list: LoadedList, top: Page<StaffSubmission>): LoadedList {
  const end = top.rows.at(-1)?.id
  const alone = { pages: [top], pageParams: [undefined] }
  if (end === undefined || top.cursor === undefined) return alone
  const meets = list.pages.some(({ rows }) => rows.some(({ id }) => id >= end))
  if (!meets) return alone
  const below = list.pages
    .map((page) => ({ ...page, rows: page.rows.filter(({ id }) => id < end) }))
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

/** Ids begin with the time. */
function byNewest(one: StaffSubmission, other: StaffSubmission): number {
  return one.id < other.id ? 1 : -1
}
