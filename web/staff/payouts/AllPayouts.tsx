import { Banknote, SearchX } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Count } from '../lists/PagedTable.tsx'
import { usePagedList } from '../lists/use-paged-list.ts'
import { PayoutFilters } from './PayoutFilters.tsx'
import { PayoutList } from './PayoutList.tsx'
import { PAGE_SIZE } from './payout-queries.ts'
import { usePayoutView } from './use-payout-view.ts'

/** Every payout, newest first. */
export function AllPayouts() {
  const { shown } = usePayoutView()
  const { q, paymentType, state } = shown
  const list = usePagedList(routes.payouts, { limit: PAGE_SIZE, q, paymentType, state })
  const isFiltered = Boolean(q || paymentType || state)
  return (
    <PayoutList
      list={list}
      head={
        <div className="grid gap-2 border-line border-b p-3 text-soft text-sm">
          <PayoutFilters withState />
          <Count list={list} noun="payouts" />
        </div>
      }
      empty={
        isFiltered ? (
          <EmptyState icon={<SearchX />} title="No payout matches">
            Change the search or the filters.
          </EmptyState>
        ) : (
          <EmptyState icon={<Banknote />} title="No payouts yet">
            Approving a card makes a payout.
          </EmptyState>
        )
      }
    />
  )
}
