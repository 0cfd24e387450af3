import { Inbox, SearchX } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { Skeleton, SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { Count } from '../lists/PagedTable.tsx'
import { useVirtualRows } from '../lists/use-virtual-rows.ts'
import { useNow } from '../RelativeTime.tsx'
import { useStaff } from '../use-staff.ts'
import { ClearAll } from './ClearAll.tsx'
import { holderAt } from './claims/claim.ts'
import { ROW_REM, SubmissionRow } from './SubmissionRow.tsx'
import type { useSubmissions, ViewControl } from './use-view.ts'

interface SubmissionListProps {
  list: ReturnType<typeof useSubmissions>
  control: ViewControl
  openId: string | undefined
}

export function SubmissionList({
  list,
  control,
  openId,
  onCleared,
}: SubmissionListProps & { onCleared: () => void }) {
  const { query, rows, total } = list
  const { q, status, brand } = control.view
  return (
    <section
      aria-label="Submissions"
      className="flex max-h-72 min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface min-[1100px]:max-h-none"
    >
      <div className="flex min-h-11 items-center justify-between gap-2 border-line border-b pr-1 pl-4 text-soft text-sm">
        <p role="status" className="figures">
          {query.isSuccess && <Count shown={rows.length} total={total} noun="submissions" />}
          {query.isPending && 'Loading...'}
          {query.isError && rows.length === 0 && 'Not loaded'}
        </p>
        <ClearAll onCleared={onCleared} />
      </div>
      {query.isPending && (
        <div className="overflow-hidden p-3">
          <SkeletonRows rows={6} label="Loading the submissions" />
        </div>
      )}
      {query.isError && !query.isFetchNextPageError && (
        <div className="p-3">
          <Failure
            message={messageOf(query.error, 'The submissions could not be loaded.')}
            onRetry={() => query.refetch()}
          />
        </div>
      )}
      {query.isSuccess && rows.length === 0 && <Nothing filtered={Boolean(q || status || brand)} />}
      {rows.length > 0 && (
        <SubmissionRows
          key={JSON.stringify([q, status, brand])}
          list={list}
          control={control}
          openId={openId}
        />
      )}
    </section>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  return (
    <div className="overflow-y-auto p-3">
      {filtered ? (
        <EmptyState icon={<SearchX aria-hidden="true" />} title="No submission matches">
          Change the search or the filters.
        </EmptyState>
      ) : (
        <EmptyState icon={<Inbox aria-hidden="true" />} title="No submissions yet">
          Submissions appear here as sellers send them.
        </EmptyState>
      )}
    </div>
  )
}

function SubmissionRows({ list, control, openId }: SubmissionListProps) {
  const { query, rows, total } = list
  const { admin } = useStaff()
  const now = useNow(10_000)
  const canFetch = query.hasNextPage && !query.isFetching && !query.isFetchNextPageError
  const { scroller, shown, height, scrollToIndex } = useVirtualRows({
    rows,
    rowRem: ROW_REM,
    fetchMore: canFetch ? () => void query.fetchNextPage() : undefined,
  })
  useOpenRowInSight(rows, openId, scroller, scrollToIndex)
  return (
    <div
      ref={scroller}
      className={cx('min-h-0 flex-1 overflow-y-auto', query.isPlaceholderData && 'opacity-60')}
    >
      <ul className="relative" style={{ height }}>
        {shown.map(({ index, start }) => {
          const row = rows[index]
          const holder = row && holderAt(row.claimedBy, now)
          return (
            row && (
              <SubmissionRow
                key={row.id}
                submission={row}
                open={row.id === openId}
                linkTo={control.linkTo}
                now={now}
                colleague={holder?.id === admin.id ? undefined : holder?.username}
                position={index + 1}
                total={total}
                start={start}
              />
            )
          )
        })}
      </ul>
      {query.isFetchNextPageError ? (
        <div className="p-3">
          <Failure
            message={messageOf(query.error, 'More submissions could not be loaded.')}
            onRetry={() => query.fetchNextPage()}
          />
        </div>
      ) : (
        query.hasNextPage && <Skeleton className="m-3 h-12" />
      )}
    </div>
  )
}

/** Scrolls to the open row when it changes, and focuses it unless the user is elsewhere. */
function useOpenRowInSight(
  rows: SubmissionListProps['list']['rows'],
  openId: string | undefined,
  scroller: RefObject<HTMLElement | null>,
  scrollToIndex: (index: number) => void,
): void {
  const isListed = useMemo(() => rows.some(({ id }) => id === openId), [rows, openId])
  const previousId = useRef<string>(undefined)
  const wantsFocus = useRef(false)
  const showOpen = useEffectEvent(() => {
    const hasChanged = previousId.current !== undefined && previousId.current !== openId
    previousId.current = openId
    if (!isListed) return
    scrollToIndex(rows.findIndex(({ id }) => id === openId))
    if (hasChanged) wantsFocus.current = true
  })
  useEffect(() => {
    if (openId !== undefined) showOpen()
  }, [openId, isListed])

  // On every render, because the row may be rendered only after the list has scrolled to it.
  useEffect(() => {
    if (wantsFocus.current && focusRow(scroller.current)) wantsFocus.current = false
  })
}

/** Focuses the open row unless something outside the list has the focus. @returns false to try again */
function focusRow(scroller: HTMLElement | null): boolean {
  const row = scroller?.querySelector<HTMLElement>('[aria-current="true"]')
  const focused = document.activeElement
  const isFree = focused === document.body || scroller?.contains(focused) || focused?.role === 'tab'
  if (row && isFree) row.focus({ preventScroll: true })
  return Boolean(row) || !isFree
}
