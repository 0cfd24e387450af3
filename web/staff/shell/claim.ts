import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { Claim, StaffSubmission } from '#contract/staff-submissions.ts'
import type { Page } from '#web/wire/pages.ts'
import { read } from '#web/wire/read.ts'

/** The claim, unless it has expired. */
export function holderAt(claim: Claim | null, now: number): Claim | undefined {
  return claim && Date.parse(claim.until) > now ? claim : undefined
}

/**
 * The later of two claims. The answer to a call may arrive after a newer push. Only pushes report releases.
 */
export function laterClaim(known: Claim | null, next: Claim | null): Claim | null {
  if (!known || !next) return next
  return Date.parse(next.since) >= Date.parse(known.since) ? next : known
}

/** Updates the claim wherever the submission is shown. Pushes of claims are frequent, so nothing is fetched. */
export function keepClaim(client: QueryClient, id: string, next: Claim | null): void {
  putClaim(client, id, next)
  // An answer that is on its way may be older than the claim.
  const fetching = client.getQueryCache().findAll({ predicate: isOfSubmissions, fetchStatus: 'fetching' })
  for (const { promise } of fetching) {
    const putAgain = () => putClaim(client, id, next)
    void promise?.then(putAgain, putAgain)
  }
}

function isOfSubmissions({ queryKey: [path] }: Query): boolean {
  return path === routes.staffSubmissions.path || path === routes.staffSubmission.path
}

function putClaim(client: QueryClient, id: string, next: Claim | null): void {
  const claimed = (row: StaffSubmission) =>
    row.id === id ? { ...row, claimedBy: laterClaim(row.claimedBy, next) } : row
  const { queryKey } = read(routes.staffSubmission, { params: { id } })
  client.setQueriesData<StaffSubmission>({ queryKey, type: 'active' }, (row) => row && claimed(row))
  // Changed data would count as fresh.
  void client.invalidateQueries({ queryKey, type: 'inactive' })
  client.setQueriesData<InfiniteData<Page<StaffSubmission>>>(
    { queryKey: [routes.staffSubmissions.path, 'pages'] },
    (list) =>
      list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: page.rows.map(claimed) })) },
  )
}
