import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { read, refresh } from '#web/wire/read.ts'

/** Rows of a page: as many as the server sends. */
export const PAGE_SIZE = '200'

/** Refetches everything about payouts and batches that is on screen. */
export async function refreshPayouts(client: QueryClient): Promise<void> {
  await refresh(
    client,
    routes.payouts,
    routes.duePayouts,
    routes.payoutCash,
    routes.payoutStop,
    routes.payout,
    routes.payoutBatches,
    routes.payoutBatch,
  )
}

/** Shows an answer at once, and refetches the rest. */
export function useKeep(): { payout: (payout: WirePayout) => void; batch: (batch: WireBatch) => void } {
  const client = useQueryClient()
  return {
    payout: (payout) => {
      client.setQueryData(read(routes.payout, { params: { id: payout.id } }).queryKey, payout)
      void refreshPayouts(client)
    },
    batch: (batch) => {
      client.setQueryData(read(routes.payoutBatch, { params: { id: batch.id } }).queryKey, batch)
      void refreshPayouts(client)
    },
  }
}
