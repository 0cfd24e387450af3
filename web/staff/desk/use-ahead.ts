import { useQueries } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { mayMoveFrom } from '#domain/queue.ts'
import { may } from '#domain/roles.ts'
import { staffStatus } from '#domain/submission.ts'
import { read } from '#web/wire/read.ts'
import { useDebounced } from '../shell/use-debounced.ts'
import { useStaff } from '../shell/use-staff.ts'

/** Holding J must not load each submission on the way. */
const STAY_MS = 300

/**
 * Loads what is shown of the submissions that open next, once the reviewer stays on one.
 * @returns the submissions that have arrived
 */
export function useAhead(following: readonly StaffSubmission[]): StaffSubmission[] {
  const { role } = useStaff().admin
  const decidable = following.filter(({ status }) => mayMoveFrom(role, staffStatus(status)))
  const ids = useDebounced(decidable.map(({ id }) => id).join(), STAY_MS, '')
    .split(',')
    .filter(Boolean)
  const found = useQueries({ queries: ids.map((id) => read(routes.staffSubmission, { params: { id } })) })
  useQueries({ queries: ids.map((id) => read(routes.sellerRecord, { params: { id } })) })
  useQueries({
    queries: ids.map((id) => ({
      ...read(routes.duplicates, { params: { id } }),
      enabled: may(role, 'see_details'),
    })),
  })
  return found.flatMap(({ data }) => data ?? [])
}
