import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Inbox, SearchX } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { Skeleton, SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { Count } from '../lists/PagedTable.tsx'
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

/** The rows in sight, and a few more; the others are fetched and shown as one scrolls. */
function SubmissionRows({ list, control, openId }: SubmissionListProps) {
  const { query, rows, total } = list
  const { admin } = useStaff()
  const now = useNow(10_000)
  const { scroller, shown, height } = useRows(list, openId)
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
                place={index + 1}
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

/** Rows beyond what is in sight: enough for a fast wheel, and far from sixty in all. */
const BEYOND = 6
/** Rows come and go by so many: each change costs the browser a layout of the page, however many they are. */
const AT_ONCE = 4
/** The next page is fetched when this many rows are left below. */
const AHEAD = 20

/** Which rows are to be in the page. Keeps the open one in sight and fetches on as somebody scrolls. */
function useRows({ rows, query }: SubmissionListProps['list'], openId: string | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtTop = (scroller.current?.scrollTop ?? 0) < 1
  // The same for as long as the rows are: with another one the places of all rows are worked out anew, for each frame.
  const itemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows])
  // Asked for once for a list, and not for each row of it.
  const rowPixels = useMemo(rowHeight, [rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    getItemKey: itemKey,
    overscan: BEYOND,
    rangeExtractor: inSteps,
    // What arrives above moves nothing that is being read; at the top it is what one waits for.
    anchorTo: isAtTop ? 'start' : 'end',
  })
  const shown = virtualizer.getVirtualItems()

  const wantsMore =
    query.hasNextPage &&
    !query.isFetching &&
    !query.isFetchNextPageError &&
    (shown.at(-1)?.index ?? 0) >= rows.length - AHEAD
  const fetchMore = useEffectEvent(() => void query.fetchNextPage())
  useEffect(() => {
    if (wantsMore) fetchMore()
  }, [wantsMore])

  const isListed = useMemo(() => rows.some(({ id }) => id === openId), [rows, openId])
  const before = useRef<string>(undefined)
  const wantsFocus = useRef(false)
  const showOpen = useEffectEvent(() => {
    const isAnother = before.current !== undefined && before.current !== openId
    before.current = openId
    if (!isListed) return
    virtualizer.scrollToIndex(rows.findIndex(({ id }) => id === openId))
    if (isAnother) wantsFocus.current = true
  })
  useEffect(() => {
    if (openId !== undefined) showOpen()
  }, [openId, isListed])

  // The row may be in the page only after the list has scrolled to it.
  useEffect(() => {
    if (wantsFocus.current && focusRow(scroller.current)) wantsFocus.current = false
  })

  return { scroller, shown, height: virtualizer.getTotalSize() }
}

/** Gives the focus to the open row where nothing else has it. @returns whether that was settled */
function focusRow(scroller: HTMLElement | null): boolean {
  const row = scroller?.querySelector<HTMLElement>('[aria-current="true"]')
  const focused = document.activeElement
  const isFree = focused === document.body || scroller?.contains(focused) || focused?.role === 'tab'
  if (row && isFree) row.focus({ preventScroll: true })
  return Boolean(row) || !isFree
}

/** In pixels; rows grow with the size of the reader's type. */
function rowHeight(): number {
  return ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

/** The rows from a multiple of `AT_ONCE` to another, with those in sight and a few more among them. */
function inSteps({ startIndex, endIndex, overscan, count }: Range): number[] {
  const first = Math.max(0, Math.floor((startIndex - overscan) / AT_ONCE) * AT_ONCE)
  const end = Math.min(count, Math.ceil((endIndex + overscan + 1) / AT_ONCE) * AT_ONCE)
  return Array.from({ length: end - first }, (_, at) => first + at)
}
