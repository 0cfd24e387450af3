import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { type LoadedList, mapPages, withRow } from '../lists/loaded-list.ts'
import type { Filters } from './use-view.ts'

type Submissions = LoadedList<StaffSubmission>

export type ListFilters = Partial<Filters> & { readonly answeredFirst?: 'true' }

/** Lists are sorted by this, descending. Ids start with the time, so the newest come first, or the answered ones. */
export function rankBy({ answeredFirst }: ListFilters): (row: StaffSubmission) => string {
  return ({ id, answered }) => (answeredFirst && answered ? ANSWERED + id : id)
}

/** Sorts after every id. */
const ANSWERED = '~'

/** Whether a submission matches the status and brand. Only the server can search. */
function fits({ status, brand }: StaffSubmission, filters: ListFilters): boolean {
  return (!filters.status || filters.status === status) && (!filters.brand || filters.brand === brand)
}

/** Updates a submission in the list: changes, removes, moves or adds it. */
export function placed(list: Submissions, now: StaffSubmission, filters: ListFilters): Submissions {
  const rank = rankBy(filters)
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

function without(list: Submissions, gone: string): Submissions {
  return mapPages(list, (rows) => rows.filter(({ id }) => id !== gone))
}

function counted(list: Submissions, difference: 1 | -1): Submissions {
  return { ...list, pages: list.pages.map((page) => ({ ...page, total: page.total + difference })) }
}
