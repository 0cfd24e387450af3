import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Route } from '#contract/route.ts'
import { callPage, type Page } from '#web/wire/pages.ts'

/** The loaded pages of a list, in the query that `usePagedList` makes. */
export type LoadedList<Row> = InfiniteData<Page<Row>, string | undefined>

/** What a list is sorted by, descending. */
type Rank<Row> = (row: Row) => string

/** Changes one row. Returns the same list if the row is not in it. */
export function withRow<Row extends { id: string }>(
  list: LoadedList<Row>,
  id: string,
  change: (row: Row) => Row,
): LoadedList<Row> {
  if (!list.pages.some(({ rows }) => rows.some((row) => row.id === id))) return list
  return mapPages(list, (rows) => rows.map((row) => (row.id === id ? change(row) : row)))
}

/**
 * Puts a fresh first page above the loaded list. Drops the rest if more has arrived than a page holds, because rows in
 * between would be missing.
 */
export function withTop<Row extends { id: string }>(
  list: LoadedList<Row>,
  top: Page<Row>,
  rank: Rank<Row>,
): LoadedList<Row> {
  const last = top.rows.at(-1)
  const alone = { pages: [top], pageParams: [undefined] }
  if (last === undefined || top.cursor === undefined) return alone
  const end = rank(last)
  const fresh = new Set(top.rows.map(({ id }) => id))
  const meets = list.pages.some(({ rows }) => rows.some((row) => rank(row) >= end))
  if (!meets) return alone
  const below = list.pages
    .map((page) => ({ ...page, rows: page.rows.filter((row) => rank(row) <= end && !fresh.has(row.id)) }))
    .filter(({ rows }) => rows.length > 0)
  const pages = [top, ...below]
  return { pages, pageParams: [undefined, ...pages.slice(0, -1).map(({ cursor }) => cursor)] }
}

export function mapPages<Row>(
  list: LoadedList<Row>,
  change: (rows: Row[], at: number) => Row[],
): LoadedList<Row> {
  return { ...list, pages: list.pages.map((page, at) => ({ ...page, rows: change(page.rows, at) })) }
}

/**
 * Refetches only the first page of each list that is on screen, no matter how many are loaded. Removes the other lists
 * instead of updating them. @returns the fresh rows
 */
export async function refetchFirstPages<Row extends { id: string }>(
  client: QueryClient,
  route: Route,
  rankIn: (query: Query) => Rank<Row>,
): Promise<Row[]> {
  client.removeQueries({ queryKey: [route.path, 'pages'], type: 'inactive' })
  const tops = shownLists(client, route).map(async (query) => {
    let top: Page<Row> | undefined
    let updates: number
    // Fetched again if the list was updated meanwhile, because the page may be older than the update.
    do {
      updates = query.state.dataUpdateCount
      top = await callPage<Row>(route, { query: query.queryKey[2] }).catch(() => undefined)
      // Waits for a page being fetched: it would overwrite newer data.
      await query.promise?.catch(() => undefined)
    } while (top && query.state.data && query.state.dataUpdateCount !== updates)
    if (!query.state.data) await client.refetchQueries({ queryKey: query.queryKey, exact: true })
    if (!top) return []
    client.setQueryData<LoadedList<Row>>(query.queryKey, (list) => list && withTop(list, top, rankIn(query)))
    return top.rows
  })
  return (await Promise.all(tops)).flat()
}

export function shownLists(client: QueryClient, { path }: Route): Query[] {
  return client.getQueryCache().findAll({ queryKey: [path, 'pages'], type: 'active' })
}
