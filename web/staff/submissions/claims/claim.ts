import type { QueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { Claim, StaffSubmission } from '#contract/staff-submissions.ts'
import { read } from '#web/wire/read.ts'
import { type LoadedList, withRow } from '../../list/loaded-list.ts'

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

/** Updates the claim wherever the submission is shown, without fetching it. */
export function keepClaim(client: QueryClient, id: string, next: Claim | null): void {
  const claimed = (row: StaffSubmission) => ({ ...row, claimedBy: laterClaim(row.claimedBy, next) })
  const { queryKey } = read(routes.staffSubmission, { params: { id } })
  client.setQueryData(queryKey, (row) => row && claimed(row))
  client.setQueriesData<LoadedList<StaffSubmission>>(
    { queryKey: [routes.staffSubmissions.path, 'pages'] },
    (list) => list && withRow(list, id, claimed),
  )
}
