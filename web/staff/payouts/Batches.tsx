import { Check, FileUp } from 'lucide-react'
import { useState } from 'react'
import type { WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { type BatchState, unfinishedBatchStates } from '#domain/payout.ts'
import { may } from '#domain/roles.ts'
import { Button } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { BatchBadge } from '../facts/PayoutBadge.tsx'
import { batchMaker, fileWords, inPayments } from '../facts/payout-words.ts'
import type { Column } from '../list/DataTable.tsx'
import { List } from '../list/List.tsx'
import { usePagedList } from '../list/use-paged-list.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { RelativeTime, When } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { StatementDialog } from './StatementDialog.tsx'
import { usePayoutView } from './use-payout-view.ts'

/** Every batch, newest first, or those that are not finished, oldest first. J and K move the focus from batch to batch, and Enter opens it. */
export function Batches() {
  const { shown, change } = usePayoutView()
  const isUnfinished = shown.unfinished === 'on'
  const list = usePagedList(routes.payoutBatches, isUnfinished ? { unfinished: 'true' } : {})
  const mayPay = may(useStaff().admin.role, 'pay')
  const [importing, setImporting] = useState(false)
  useKeys(mayPay ? { importResults: () => setImporting(true) } : {})
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-3 md:p-4 lg:px-6">
      <List
        noun="batch"
        list={list}
        columns={columns}
        focusKeys={{ next: 'payoutNext', previous: 'payoutPrevious' }}
        actions={
          <>
            <Button
              variant="secondary"
              size="sm"
              aria-pressed={isUnfinished}
              icon={isUnfinished ? <Check /> : undefined}
              onClick={() => change({ unfinished: isUnfinished ? undefined : 'on' })}
            >
              Unfinished
            </Button>
            {mayPay && (
              <KeyButton
                action="importResults"
                size="sm"
                icon={<FileUp />}
                onClick={() => setImporting(true)}
              >
                Import statement
              </KeyButton>
            )}
          </>
        }
        empty={
          isUnfinished
            ? 'Every batch is settled, rejected or dissolved.'
            : 'Create one from the payouts that are due.'
        }
      />
      <StatementDialog open={importing} onClose={() => setImporting(false)} />
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
  {
    name: 'State',
    cell: (batch) => (
      <>
        <BatchBadge batch={batch} />
        {batch.isLate && (
          <span className="block pt-1 font-medium text-caution text-sm">Overdue: not settled yet</span>
        )}
      </>
    ),
  },
  { name: 'Total', isNumber: true, cell: ({ total }) => <Money amount={total} className="font-semibold" /> },
  {
    name: 'Payouts',
    isNumber: true,
    cell: (batch) => (
      <>
        {batch.count.toLocaleString('en-US')}
        <span className="block whitespace-nowrap text-soft empty:hidden">{inPayments(batch)}</span>
      </>
    ),
  },
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
    cell: (batch) => (
      <>
        <When at={batch.createdAt} as="dateTime" />
        <span className="block text-soft">{batchMaker(batch)}</span>
      </>
    ),
  },
  {
    name: 'Age',
    cell: ({ state, createdAt }) =>
      isUnfinishedState(state) ? <RelativeTime at={createdAt} short /> : <span aria-hidden="true">–</span>,
  },
]

const isUnfinishedState = (state: BatchState): boolean =>
  unfinishedBatchStates.some((unfinished) => unfinished === state)

function Kind({ batch: { file, paymentTypes } }: { batch: WireBatch }) {
  const t = useWords()
  return (
    <span className="block lg:min-w-40">
      {fileWords[file]}
      <span className="block text-soft">
        {paymentTypes.map((type) => t(`payments.type.${type}`)).join(', ')}
      </span>
    </span>
  )
}
