import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'

/** Rows rendered beyond the visible ones: enough for a fast wheel. */
const OVERSCAN = 8
/** Fetches more when this many rows are left below. */
const FETCH_AHEAD = 20

interface VirtualRowsOptions {
  rows: readonly { id: string }[]
  /** The height of a row, which is the same for all. */
  rowRem: number
  /** undefined if everything is loaded, or while scrolling must not fetch */
  fetchMore: (() => void) | undefined
}

/** Which rows of a long list to render. Pass `scroller` as the `ref` of the scrolling element. */
export function useVirtualRows({ rows, rowRem, fetchMore }: VirtualRowsOptions) {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtTop = (scroller.current?.scrollTop ?? 0) < 1
  // Another function would make the virtualizer compute all positions again.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows])
  // Read once per list, because reading styles for every row is slow.
  const rowPixels = useMemo(
    () => rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    [rows, rowRem],
  )
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    getItemKey,
    overscan: OVERSCAN,
    // New rows above do not move what is being read, except at the top.
    anchorTo: isAtTop ? 'start' : 'end',
  })
  const shown = virtualizer.getVirtualItems()

  const wantsMore = fetchMore !== undefined && (shown.at(-1)?.index ?? 0) >= rows.length - FETCH_AHEAD
  const fetch = useEffectEvent(() => fetchMore?.())
  useEffect(() => {
    if (wantsMore) fetch()
  }, [wantsMore])
  return { scroller, shown, height: virtualizer.getTotalSize(), scrollToIndex: virtualizer.scrollToIndex }
}
