import { type ReactNode, useRef } from 'react'
import type { WirePayout } from '#contract/payouts.ts'
import type { PayoutState } from '#domain/payout.ts'
import { may } from '#domain/roles.ts'
import { isReady } from '../facts/payout-words.ts'
import { List, type ListProps } from '../list/List.tsx'
import { useOpenRow } from '../list/use-open-row.ts'
import type { Selection } from '../list/use-selection.ts'
import { useSideBySide } from '../list/use-side-by-side.ts'
import { useKeys } from '../shell/keys/use-keys.ts'
import { useStaff } from '../shell/use-staff.ts'
import { PayoutPanel } from './PayoutPanel.tsx'
import { PayoutRow, paymentRem, rowRem, rowRemWithReason } from './PayoutRow.tsx'
import { usePayoutView } from './use-payout-view.ts'

type PayoutListProps = Pick<ListProps<WirePayout>, 'list' | 'empty' | 'filters' | 'lead' | 'actions'> & {
  noun?: 'payout' | 'return'
  /** Scrolls with the rows, above the filters. */
  head?: ReactNode
  /** Stays below the rows. */
  foot?: ReactNode
  /** The state that the list is about, which its rows do not repeat. */
  usual?: PayoutState | undefined
  /** Where payouts can be selected. */
  selection?: Selection<WirePayout>
}

/** A list of payouts, and the open one beside it. */
export function PayoutList({ usual, selection, noun = 'payout', ...listProps }: PayoutListProps) {
  const { list } = listProps
  const { shown, linkTo, change } = usePayoutView()
  const openId = shown.id
  const mayPay = may(useStaff().admin.role, 'pay')
  const sideBySide = useSideBySide()
  const reasonBelow = usual === 'returned' && !sideBySide
  const inBatch = shown.batch !== undefined
  const open = useOpenRow(list.rows, ({ id }) => change({ id }))
  const view = useRef<HTMLDivElement>(null)
  function close() {
    view.current?.querySelector<HTMLElement>('[aria-posinset] [aria-current="true"]')?.focus()
    change({ id: undefined })
  }
  const toggleOpen = () => {
    const row = open.row()
    if (row && isReady(row)) selection?.toggle(row.id)
  }
  useKeys({
    payoutNext: () => open.step(1),
    payoutPrevious: () => open.step(-1),
    ...(openId && sideBySide && { closePayout: close }),
    ...(mayPay && selection && { payoutSelect: toggleOpen, payoutSelectAll: selection.toggleAll }),
  })
  return (
    <div
      ref={view}
      data-payout-list
      className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] gap-4 p-3 md:p-4 min-[1100px]:has-[[data-panel]]:grid-cols-[minmax(0,1fr)_26rem] lg:px-6"
    >
      <List
        {...listProps}
        noun={noun}
        label="Payouts"
        rowRem={reasonBelow ? rowRemWithReason : rowRem}
        extraRem={inBatch ? paymentRem : undefined}
        openId={openId}
        row={(row) => (
          <PayoutRow
            payout={row}
            open={row.id === openId}
            usual={usual}
            inBatch={inBatch}
            reasonBelow={reasonBelow}
            to={linkTo({ id: row.id })}
            replace={sideBySide}
            selected={selection && mayPay ? selection.has(row.id) : undefined}
            onSelect={(id, options) => selection?.toggle(id, options)}
          />
        )}
      />
      <PayoutPanel listed={list.rows.find(({ id }) => id === openId)} onClose={close} />
    </div>
  )
}
