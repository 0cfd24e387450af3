import type { QueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { Claim, StaffSubmission } from '#contract/staff-submissions.ts'
import { read } from '#web/wire/read.ts'
import { type LoadedList, withRow } from '../list-cache.ts'

/** Whoever has a submission now; a claim that was not kept in time is none. */
export function holderAt(claim: Claim | null, now: number): Claim | undefined {
  return claim && Date.parse(claim.until) > now ? claim : undefined
}

/**
 * Which of two claims of a submission is the later one. The answer to a call may come after the live channel
 * has told what happened next; giving a claim back is told by the channel alone.
 */
export function laterClaim(known: Claim | null, told: Claim | null): Claim | null {
  if (!known || !told) return told
  return Date.parse(told.since) >= Date.parse(known.since) ? told : known
}

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
