import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { fetchAgain, read, refresh } from '#web/wire/read.ts'
import { type LoadedList, refetchFirstPages, shownLists } from '../list/loaded-list.ts'
import { throttle } from '../throttle.ts'
import { keepClaim } from './claims/claim.ts'
import { type ListFilters, placed, rankBy, withTotal } from './list-cache.ts'

/** At most one refresh in this time. */
const THROTTLE_MS = 1000
/** If more submissions than this have changed at once, refetches whole lists. */
const MAX_SINGLE_FETCHES = 20

const { queue, staffSubmissions, staffSubmission, staffHistory, duplicates, sellerRecord } = routes

/** Updates loaded submissions after a push. Fetches the first page and what has changed, not every loaded page. */
export function useSubmissionUpdates(): (message: LiveMessage) => void {
  const client = useQueryClient()
  return useMemo(() => {
    const changed = new Set<string>()
    const refreshChanged = throttle(() => {
      const ids = [...changed]
      changed.clear()
      void fetchChanges(client, ids)
    }, THROTTLE_MS)
    return (message) => {
      if (message.type === 'CLAIM_UPDATE') keepClaim(client, message.submissionId, message.claimedBy)
      if (message.type === 'SUBMISSIONS_CLEARED')
        void refresh(client, queue, staffSubmissions, staffSubmission)
      if (message.type === 'SELLER_UPDATE') void refresh(client, staffSubmission)
      if (message.type === 'STATUS_UPDATE') changed.add(message.submissionId)
      // It may belong to the end of a list, below the page that is fetched again.
      if (message.type === 'NEW_SUBMISSION') changed.add(message.submission.id)
      if (message.type === 'STATUS_UPDATE' || message.type === 'NEW_SUBMISSION') refreshChanged()
    }
  }, [client])
}

/**
 * Updates a submission wherever it is shown.
 * @param isCounted the totals of the lists include the change already
 */
export function keepSubmission(client: QueryClient, now: StaffSubmission, isCounted = false): void {
  const key = read(staffSubmission, { params: { id: now.id } }).queryKey
  client.setQueryData(key, (before) => {
    if (!before || before.version > now.version) return before
    // Rows of lists have no risks.
    return { ...now, risks: now.risks ?? before.risks }
  })
  for (const query of shownLists(client, staffSubmissions)) {
    client.setQueryData<LoadedList<StaffSubmission>>(query.queryKey, (list) => {
      if (!list) return list
      const after = placed(list, now, filtersOf(query))
      return isCounted ? withTotal(after, list.pages[0]?.total ?? 0) : after
    })
  }
}

async function fetchChanges(client: QueryClient, ids: readonly string[]): Promise<void> {
  void refresh(client, queue, staffHistory, duplicates, sellerRecord)
  if (ids.length > MAX_SINGLE_FETCHES) return refresh(client, staffSubmissions, staffSubmission)
  const fresh = await refetchFirstPages<StaffSubmission>(client, staffSubmissions, (query) =>
    rankBy(filtersOf(query)),
  )
  const known = new Map(fresh.map((row) => [row.id, row]))
  await Promise.all(ids.map((id) => keepFresh(client, id, known.get(id))))
}

async function keepFresh(client: QueryClient, id: string, known: StaffSubmission | undefined): Promise<void> {
  const now =
    known ??
    (await client
      .fetchQuery({ ...read(staffSubmission, { params: { id } }), staleTime: 0 })
      .catch(() => undefined))
  if (now) keepSubmission(client, now, true)
  if (now?.saleId) void refreshSale(client, now)
  // Its risks may have changed too.
  if (known) void fetchAgain(client, { queryKey: read(staffSubmission, { params: { id } }).queryKey })
}

/** The other cards of the sale count this one. */
function refreshSale(client: QueryClient, { id, saleId }: StaffSubmission): Promise<void> {
  return fetchAgain(client, {
    queryKey: [staffSubmission.path],
    predicate: ({ state: { data } }) => {
      const other = data as StaffSubmission | undefined
      return other?.saleId === saleId && other?.id !== id
    },
  })
}

/** From the query key that `readPages` makes. */
function filtersOf({ queryKey: [, , filters] }: Query): ListFilters {
  return filters as ListFilters
}
