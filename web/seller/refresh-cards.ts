import type { QueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { refresh } from '#web/wire/read.ts'

/** Fetches again what is shown of the seller's cards. */
export function refreshCards(client: QueryClient): Promise<void> {
  return refresh(
    client,
    routes.myHome,
    routes.mySubmissions,
    routes.mySubmission,
    routes.myHistory,
    routes.myReveals,
    routes.myTransactions,
    routes.expectedPayoutDays,
    routes.myEarnings,
  )
}
