import { Undo2 } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Count } from '../lists/PagedTable.tsx'
import { usePagedList } from '../lists/use-paged-list.ts'
import { PayoutFilters } from './PayoutFilters.tsx'
import { PayoutList } from './PayoutList.tsx'
import { PAGE_SIZE } from './payout-queries.ts'
import { usePayoutView } from './use-payout-view.ts'

/** Payouts whose money came back, and the import of what a bank or service reports. */
export function Returns() {
  const { shown } = usePayoutView()
  const { q, paymentType } = shown
  const list = usePagedList(routes.payouts, { limit: PAGE_SIZE, state: 'returned', q, paymentType })
  return (
    <PayoutList
      list={list}
      head={
        <div className="grid gap-2 border-line border-b p-3 text-soft text-sm">
          <PayoutFilters />
          <Count list={list} noun="returns" />
        </div>
      }
      empty={
        <EmptyState icon={<Undo2 />} title="No money came back">
          {q || paymentType
            ? 'Change the search or the method.'
            : 'Returned payouts appear here, with the reason.'}
        </EmptyState>
      }
    />
  )
}
