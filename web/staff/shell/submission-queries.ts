import type { QueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { read, refresh } from '#web/wire/read.ts'

/** Refetches everything about submissions that is on screen. */
export function refreshSubmissions(client: QueryClient): Promise<void> {
  // Another view must not open the first submission of an old list.
  client.removeQueries({ queryKey: [routes.staffSubmissions.path, 'pages'], type: 'inactive' })
  return refresh(
    client,
    routes.queue,
    routes.staffSubmissions,
    routes.staffSubmission,
    routes.staffHistory,
    routes.duplicates,
    routes.sellerRecord,
  )
}

/** Shows the answer of a call at once, and refetches the rest. */
export function keepSubmission(client: QueryClient, now: StaffSubmission): void {
  client.setQueryData(read(routes.staffSubmission, { params: { id: now.id } }).queryKey, (before) => {
    if (!before || before.version > now.version) return before
    // Answers of moves have no risks.
    return { ...now, risks: now.risks ?? before.risks }
  })
  void refreshSubmissions(client)
}
