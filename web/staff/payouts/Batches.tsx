import { useRef } from 'react'
import type { WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { Money } from '#web/kit/Money.tsx'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { focusBy, useKeys } from '../keys/use-keys.ts'
import { type Column, PagedTable } from '../lists/PagedTable.tsx'
import { usePagedList } from '../lists/use-paged-list.ts'
import { When } from '../RelativeTime.tsx'
import { BatchBadge } from './PayoutBadge.tsx'
import { fileWords } from './payout-words.ts'

/** Every batch, newest first. J and K move the focus from batch to batch, and Enter opens it. */
export function Batches() {
  const list = usePagedList(routes.payoutBatches, {})
  const table = useRef<HTMLDivElement>(null)
  const step = (by: 1 | -1) => focusBy(by, table.current, 'td:first-child a')
  useKeys({ payoutNext: () => step(1), payoutPrevious: () => step(-1) })
  return (
    <div ref={table} className="min-h-0 flex-1 overflow-y-auto p-3 md:p-4 lg:px-6">
      <PagedTable
        noun="batches"
        list={list}
        columns={columns}
        whenEmpty="Create one from the payouts that are due."
      />
    </div>
  )
}

const columns: readonly Column<WireBatch>[] = [
  {
    name: 'Batch',
    isTitle: true,
    cell: ({ id, number }) => (
      <Link
        to={pathTo('adminPayouts', { batch: id })}
        className="whitespace-nowrap font-medium underline underline-offset-4"
      >
        Batch {number}
      </Link>
    ),
  },
  { name: 'State', cell: (batch) => <BatchBadge batch={batch} /> },
  { name: 'Total', isNumber: true, cell: ({ total }) => <Money amount={total} className="font-semibold" /> },
  { name: 'Payouts', isNumber: true, cell: ({ count }) => count.toLocaleString('en-US') },
  {
    name: 'Paid',
    isNumber: true,
    cell: ({ paidCount, returnedCount }) => (
      <>
        {paidCount.toLocaleString('en-US')}
        {returnedCount > 0 && (
          <span className="block whitespace-nowrap text-negative">{returnedCount} returned</span>
        )}
      </>
    ),
  },
  { name: 'Leaves as', cell: (batch) => <Kind batch={batch} /> },
  {
    name: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <>
        <When at={createdAt} as="dateTime" />
        <span className="block text-soft">{createdBy}</span>
      </>
    ),
  },
]

function Kind({ batch: { file, paymentTypes } }: { batch: WireBatch }) {
  const t = useWords()
  return (
    <span className="block min-w-40">
      {fileWords[file]}
      <span className="block text-soft">
        {paymentTypes.map((type) => t(`payments.type.${type}`)).join(', ')}
      </span>
    </span>
  )
}
