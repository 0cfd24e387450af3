import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { SubmissionListProps } from './SubmissionList.tsx'
import { ROW_REM } from './SubmissionRow.tsx'

/** Rows beyond what is in sight: enough for a fast wheel, and far from sixty in all. */
const BEYOND = 6
/** Rows come and go by so many: each change costs the browser a layout of the page, however many they are. */
const AT_ONCE = 4
/** The next page is fetched when this many rows are left below. */
const AHEAD = 20

/** Which rows are to be in the page. Keeps the open one in sight and fetches on as somebody scrolls. */
export function useRows({ rows, query }: SubmissionListProps['list'], openId: string | undefined) {
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
