import { Banknote } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { usePagedList } from '../list/use-paged-list.ts'
import { PAGE_SIZE } from '../shell/payout-queries.ts'
import { PayoutFilters } from './PayoutFilters.tsx'
import { PayoutList } from './PayoutList.tsx'
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
      filters={<PayoutFilters withState />}
      empty={
        isFiltered ? (
          'Change the search or the filters.'
        ) : (
          <EmptyState icon={<Banknote />} title="No payouts yet">
            Approving a card makes a payout.
          </EmptyState>
        )
      }
    />
  )
}
