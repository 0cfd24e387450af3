import { Inbox, SearchX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { messageOf } from '../../api/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Failure } from '../../ui/Notice.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Count } from '../lists/Count.tsx'
import { useNow } from '../time/use-now.ts'
import { ClearAll } from './ClearAll.tsx'
import { SubmissionRow } from './SubmissionRow.tsx'
import type { useSubmissions } from './use-submissions.ts'
import type { ViewControl } from './view.ts'

interface SubmissionListProps {
  list: ReturnType<typeof useSubmissions>
  control: ViewControl
}

export function SubmissionList({ list: { query, rows, total }, control }: SubmissionListProps) {
  const { id, q, status, brand } = control.view
  const now = useNow(30_000)
  const scroller = useScrollToOpen(id)
  return (
    <section
      aria-label="Submissions"
      className="flex max-h-96 min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface min-[1100px]:max-h-none"
    >
      <div className="flex min-h-11 items-center justify-between gap-2 border-line border-b pr-1 pl-4 text-soft text-sm">
        <p role="status" className="figures">
          {query.isSuccess && <Count shown={rows.length} total={total} noun="submissions" />}
          {query.isPending && 'Loading...'}
          {query.isError && 'Not loaded'}
        </p>
        <ClearAll onCleared={() => control.change({})} />
      </div>
      <div
        ref={scroller}
        className={cx('min-h-0 flex-1 overflow-y-auto', query.isPlaceholderData && 'opacity-60')}
      >
        {query.isPending && (
          <div className="p-3">
            <SkeletonRows rows={6} label="Loading the submissions" />
          </div>
        )}
        {query.isError && (
          <div className="p-3">
            <Failure
              message={messageOf(query.error, 'The submissions could not be loaded.')}
              onRetry={() => query.refetch()}
            />
          </div>
        )}
        {query.isSuccess && rows.length === 0 && <Nothing filtered={Boolean(q || status || brand)} />}
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <SubmissionRow
              key={row.id}
              submission={row}
              open={row.id === id}
              to={control.linkTo({ id: row.id })}
              now={now}
            />
          ))}
        </ul>
        {query.hasNextPage && (
          <div className="border-line border-t p-3">
            <Button
              variant="secondary"
              wide
              loading={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
            >
              Load more
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  return (
    <div className="p-3">
      {filtered ? (
        <EmptyState icon={<SearchX aria-hidden="true" />} title="No submission matches">
          Change the search or the filters.
        </EmptyState>
      ) : (
        <EmptyState icon={<Inbox aria-hidden="true" />} title="No submissions yet">
          They appear here as sellers send them.
        </EmptyState>
      )}
    </div>
  )
}

/** Keeps the open row in sight, and where nothing else has the focus, gives it to the row. */
function useScrollToOpen(id: string | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const before = useRef<string>(undefined)
  useEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>('[aria-current="true"]')
    row?.scrollIntoView({ block: 'nearest' })
    const focused = document.activeElement
    const isFree = focused === document.body || scroller.current?.contains(focused)
    if (before.current && before.current !== id && isFree) row?.focus({ preventScroll: true })
    before.current = id
  }, [id])
  return scroller
}
