import type { ReactNode } from 'react'
import type { WirePayout } from '#contract/payouts.ts'
import { may } from '#domain/roles.ts'
import { useKeys } from '../keys/use-keys.ts'
import type { PagedList } from '../lists/use-paged-list.ts'
import { VirtualList } from '../lists/VirtualList.tsx'
import { useSideBySide } from '../submissions/use-side-by-side.ts'
import { useStaff } from '../use-staff.ts'
import { PayoutPanel } from './PayoutPanel.tsx'
import { PayoutRow, ROW_REM } from './PayoutRow.tsx'
import { usePayoutView } from './use-payout-view.ts'
import type { Selection } from './use-selection.ts'

interface PayoutListProps {
  list: PagedList<WirePayout>
  /** Scrolls with the rows, above them. */
  head: ReactNode
  /** Stays below the rows. */
  foot?: ReactNode
  empty: ReactNode
  /** Where payouts can be selected. */
  selection?: Selection
}

/** A list of payouts, and the open one beside it. */
export function PayoutList({ list, head, foot, empty, selection }: PayoutListProps) {
  const { shown, linkTo, change } = usePayoutView()
  const { id: openId, ...filters } = shown
  const mayPay = may(useStaff().admin.role, 'pay')
  const sideBySide = useSideBySide()
  const openIndex = list.rows.findIndex(({ id }) => id === openId)
  const openAt = (index: number) => {
    const row = list.rows[index]
    if (row) change({ id: row.id })
  }
  const openRow = list.rows[openIndex]
  useKeys({
    payoutNext: () => openAt(openIndex + 1),
    payoutPrevious: () => openIndex > 0 && openAt(openIndex - 1),
    ...(mayPay &&
      selection && {
        payoutSelect: () => openRow && selection.ready.includes(openRow) && selection.toggle(openRow.id),
        payoutSelectAll: selection.toggleAll,
      }),
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
          rowRem={ROW_REM}
          openId={openId}
          head={head}
          empty={empty}
        >
          {(row) => (
            <PayoutRow
              payout={row}
              open={row.id === openId}
              inBatch={shown.batch !== undefined}
              to={linkTo({ id: row.id })}
              replace={sideBySide}
              selected={selection && mayPay ? selection.has(row.id) : undefined}
              onSelect={(id, options) => selection?.toggle(id, options)}
            />
          )}
        </VirtualList>
        {foot}
      </section>
      <PayoutPanel listed={openRow} />
    </div>
  )
}
