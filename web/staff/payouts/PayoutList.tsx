import type { ReactNode } from 'react'
import type { WirePayout } from '#contract/payouts.ts'
import type { PayoutState } from '#domain/payout.ts'
import { may } from '#domain/roles.ts'
import { useKeys } from '../keys/use-keys.ts'
import { useDensity } from '../lists/density.tsx'
import type { PagedList } from '../lists/use-paged-list.ts'
import { VirtualList } from '../lists/VirtualList.tsx'
import { useSideBySide } from '../submissions/use-side-by-side.ts'
import { useStaff } from '../use-staff.ts'
import { PayoutPanel } from './PayoutPanel.tsx'
import { PayoutRow, ROW_WITH_REASON_REM, rowRem } from './PayoutRow.tsx'
import { usePayoutView } from './use-payout-view.ts'
import { isReady, type Selection } from './use-selection.ts'

interface PayoutListProps {
  list: PagedList<WirePayout>
  /** Scrolls with the rows, above them. */
  head: ReactNode
  /** Stays below the rows. */
  foot?: ReactNode
  empty: ReactNode
  /** The state that the list is about, which its rows do not repeat. */
  usual?: PayoutState
  /** Where payouts can be selected. */
  selection?: Selection
}

/** A list of payouts, and the open one beside it. */
export function PayoutList({ list, head, foot, empty, usual, selection }: PayoutListProps) {
  const { shown, linkTo, change } = usePayoutView()
  const { id: openId, ...filters } = shown
  const mayPay = may(useStaff().admin.role, 'pay')
  const sideBySide = useSideBySide()
  const density = rowRem[useDensity()]
  const reasonBelow = usual === 'returned' && !sideBySide
  const openBy = (step: 1 | -1) => {
    const row = list.rows[Math.max(indexInAddress(list.rows) + step, 0)]
    if (row) change({ id: row.id })
  }
  const toggleOpen = () => {
    const row = list.rows[indexInAddress(list.rows)]
    if (row && isReady(row)) selection?.toggle(row.id)
  }
  useKeys({
    payoutNext: () => openBy(1),
    payoutPrevious: () => openBy(-1),
    ...(mayPay && selection && { payoutSelect: toggleOpen, payoutSelectAll: selection.toggleAll }),
  })
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] gap-4 p-3 md:p-4 min-[1100px]:has-[[data-panel]]:grid-cols-[minmax(0,1fr)_26rem] lg:px-6">
      <section
        aria-label="Payouts"
        className="@container flex min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface"
      >
        <VirtualList
          // Another filter starts at the top.
          key={JSON.stringify(filters)}
          list={list}
          noun="payouts"
          rowRem={reasonBelow ? ROW_WITH_REASON_REM : density}
          openId={openId}
          head={head}
          empty={empty}
        >
          {(row) => (
            <PayoutRow
              payout={row}
              open={row.id === openId}
              usual={usual}
              inBatch={shown.batch !== undefined}
              reasonBelow={reasonBelow}
              to={linkTo({ id: row.id })}
              replace={sideBySide}
              selected={selection && mayPay ? selection.has(row.id) : undefined}
              onSelect={(id, options) => selection?.toggle(id, options)}
            />
          )}
        </VirtualList>
        {foot}
      </section>
      <PayoutPanel listed={list.rows.find(({ id }) => id === openId)} />
    </div>
  )
}

/** The address is ahead of what is rendered: X must select the payout that J has just opened. */
function indexInAddress(rows: readonly WirePayout[]): number {
  const openId = new URLSearchParams(location.search).get('id')
  return rows.findIndex(({ id }) => id === openId)
}
