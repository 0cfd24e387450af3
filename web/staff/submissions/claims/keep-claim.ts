import type { QueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { Claim, StaffSubmission } from '#contract/staff-submissions.ts'
import { read } from '#web/wire/read.ts'
import { type LoadedList, withRow } from '../list-cache.ts'
import { laterClaim } from './holder.ts'

/** Shows wherever the submission is shown who has it now. Nothing is fetched: claims are kept all the time. */
export function keepClaim(client: QueryClient, id: string, told: Claim | null): void {
  const claimed = (row: StaffSubmission) => ({ ...row, claimedBy: laterClaim(row.claimedBy, told) })
  const { queryKey } = read(routes.staffSubmission, { params: { id } })
  client.setQueryData(queryKey, (row) => row && claimed(row))
  client.setQueriesData<LoadedList>(
    { queryKey: [routes.staffSubmissions.path] },
    (list) => list && withRow(list, id, claimed),
  )
}
