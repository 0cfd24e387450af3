import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { callPage } from '#web/wire/call.ts'
import { read, refresh } from '#web/wire/read.ts'
import { throttle } from '../throttle.ts'
import { keepClaim } from './claims/claim.ts'
import { type ListFilters, type LoadedList, placed, withTop } from './list-cache.ts'

const CALM = 1000
/** When more than these have changed at once, the lists are simply fetched again. */
const ONE_BY_ONE = 20

const { staffSubmissions, staffSubmission, staffHistory, duplicates, sellerRecord } = routes
const listsKey = [staffSubmissions.path]

/**
 * Keeps what is loaded of the submissions current, at a cost that doesn't grow with how far somebody has
 * scrolled: the first page and what has changed are fetched, and not every page down to there.
 */
export function useSubmissionUpdates(): (message: LiveMessage) => void {
  const client = useQueryClient()
  return useMemo(() => {
    const changed = new Set<string>()
    const bringUpToDate = throttle(() => {
      const ids = [...changed]
      changed.clear()
      void fetchChanges(client, ids)
    }, CALM)
    return (message) => {
      if (message.type === 'CLAIM_UPDATE') keepClaim(client, message.submissionId, message.claimedBy)
      if (message.type === 'SUBMISSIONS_CLEARED') void refresh(client, staffSubmissions, staffSubmission)
      if (message.type === 'STATUS_UPDATE') changed.add(message.submissionId)
      if (message.type === 'STATUS_UPDATE' || message.type === 'NEW_SUBMISSION') bringUpToDate()
    }
  }, [client])
}

/** Puts a submission as it is now wherever it is shown. */
export function keepSubmission(client: QueryClient, now: StaffSubmission): void {
  const key = read(staffSubmission, { params: { id: now.id } }).queryKey
  client.setQueryData(key, (before) => before && (before.version > now.version ? before : now))
  for (const query of activeLists(client)) {
    client.setQueryData<LoadedList>(query.queryKey, (list) => list && placed(list, now, filtersOf(query)))
  }
}

async function fetchChanges(client: QueryClient, ids: readonly string[]): Promise<void> {
  // Lists that nobody looks at are forgotten, which is simpler than keeping them right.
  client.removeQueries({ queryKey: listsKey, type: 'inactive' })
  void refresh(client, staffHistory, duplicates, sellerRecord)
  if (ids.length > ONE_BY_ONE) return refresh(client, staffSubmissions, staffSubmission)
  const fresh = await Promise.all(activeLists(client).map((query) => fetchTop(client, query)))
  const known = new Map(fresh.flat().map((row) => [row.id, row]))
  await Promise.all(ids.map((id) => keepFresh(client, id, known.get(id))))
}

async function keepFresh(client: QueryClient, id: string, known: StaffSubmission | undefined): Promise<void> {
  const now =
    known ??
    (await client
      .fetchQuery({ ...read(staffSubmission, { params: { id } }), staleTime: 0 })
      .catch(() => undefined))
  if (now) keepSubmission(client, now)
}

/** Fetches the first page of a list anew. @returns its rows; none when it could not be had */
async function fetchTop(client: QueryClient, query: Query): Promise<StaffSubmission[]> {
  const filters = filtersOf(query)
  const top = await callPage<StaffSubmission>(staffSubmissions, { query: filters }).catch(() => undefined)
  // A page that is on its way would put back what it knew when it set out.
  await query.promise?.catch(() => undefined)
  if (!top) return []
  client.setQueryData<LoadedList>(query.queryKey, (list) => list && withTop(list, top, filters))
  return top.rows
}

function activeLists(client: QueryClient): Query[] {
  return client.getQueryCache().findAll({ queryKey: listsKey, type: 'active' })
}

/** As `readPages` has put them into the key. */
function filtersOf({ queryKey: [, , filters] }: Query): ListFilters {
  return filters as ListFilters
}
