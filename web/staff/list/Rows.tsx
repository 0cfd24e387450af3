import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { MAX_COUNTED } from '#domain/counting.ts'
import { cx } from '#web/kit/cx.ts'
import { type Density, useDensity } from './density.tsx'
import type { PagedList } from './use-paged-list.ts'

/** Rows rendered beyond the visible ones: enough for a fast wheel. */
const OVERSCAN = 8

export interface RowsProps<Row> {
  /** A row in words and pictures. */
  row: (row: Row) => ReactNode
  /** The height of a row, so that rows need not be measured. */
  rowRem: Readonly<Record<Density, number>>
  /** How much higher this row is. */
  extraRem?: ((row: Row) => number) | undefined
  /** Scrolls to this row when it changes. */
  openId?: string | undefined
}

interface VirtualRowsProps<Row> extends RowsProps<Row> {
  list: PagedList<Row>
  /** Scrolls with the rows, above them. */
  head: ReactNode
  /** Between the head and the rows while they load, or instead of them. */
  status: ReactNode
  /** Below the last row. */
  children: ReactNode
}

/** Rows in their own scroller, of which only the visible ones are rendered. */
export function Rows<Row extends { id: string }>(props: VirtualRowsProps<Row>) {
  const { list, row: render, rowRem, extraRem = noExtra, openId, head, status, children } = props
  const { rows, total, query } = list
  const scroller = useRef<HTMLDivElement>(null)
  const { above, headHeight } = useHeadHeight()
  const virtualizer = useRows(rows, { rowRem: rowRem[useDensity()], extraRem, scroller, headHeight })
  const rowList = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (!scroller.current || !above.current || !rowList.current) return
    above.current.style.minHeight = ''
    const grown = Math.round(above.current.getBoundingClientRect().height - headHeight)
    if (headHeight === 0 || grown === 0) return
    // What opens beside the list makes it narrower and its head higher or lower. The clicked row stays in place, even in a short list.
    if (grown < 0 && openId !== undefined) {
      above.current.style.minHeight = `${headHeight}px`
      return
    }
    const { bottom } = scroller.current.getBoundingClientRect()
    const missing = bottom + grown - rowList.current.getBoundingClientRect().bottom
    rowList.current.style.marginBottom = `${Math.max(missing, 0)}px`
    scroller.current.scrollTop += grown
    // The virtualizer would learn of it with the next frame, and might scroll to the open row from where the list was before.
    scroller.current.dispatchEvent(new Event('scroll'))
  }, [openId])
  useOpenRowInSight(rows, openId, scroller, virtualizer.scrollToIndex)
  useLayoutEffect(() => {
    // Other filters start at the top.
    if (list.filterKey !== undefined) scroller.current?.scrollTo(0, 0)
  }, [list.filterKey])
  return (
    <div
      ref={scroller}
      className={cx(
        'min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]',
        query.isPlaceholderData && 'opacity-60',
      )}
    >
      <div ref={above} className="flex flex-col *:first:grow">
        {head}
      </div>
      {/* Outside the head, whose space is kept for the clicked row. */}
      {status}
      <ul ref={rowList} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index]
          return (
            row && (
              <li
                key={row.id}
                aria-posinset={index + 1}
                aria-setsize={total > MAX_COUNTED ? -1 : total}
                style={{ height: size, top: start - headHeight }}
                className="absolute inset-x-0 border-line border-b"
              >
                {render(row)}
              </li>
            )
          )
        })}
      </ul>
      {children}
    </div>
  )
}

/** The height of what scrolls above the rows, in pixels. */
function useHeadHeight() {
  const above = useRef<HTMLDivElement>(null)
  const [headHeight, setHeadHeight] = useState(0)
  useLayoutEffect(() => {
    if (!above.current) return
    const observer = new ResizeObserver(([entry]) => setHeadHeight(entry?.contentRect.height ?? 0))
    observer.observe(above.current)
    return () => observer.disconnect()
  }, [])
  return { above, headHeight }
}

const noExtra = () => 0

interface VirtualizerOptions<Row> {
  rowRem: number
  extraRem: (row: Row) => number
  scroller: RefObject<HTMLDivElement | null>
  headHeight: number
}

function useRows<Row extends { id: string }>(
  rows: readonly Row[],
  { rowRem, extraRem, scroller, headHeight }: VirtualizerOptions<Row>,
) {
  const isAtTop = (scroller.current?.scrollTop ?? 0) < 1
  // Read once per list, because reading styles for every row is slow.
  const remPixels = useMemo(
    () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    [rows, rowRem],
  )
  const rowPixels = rowRem * remPixels
  // Another function makes the virtualizer compute all positions again.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows, rowPixels])
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowPixels + remPixels * (rows[index] ? extraRem(rows[index]) : 0),
    getItemKey,
    overscan: OVERSCAN,
    // The open row shows what comes next, and no toast covers it.
    scrollPaddingStart: rowPixels,
    scrollPaddingEnd: 2 * rowPixels,
    scrollMargin: headHeight,
    // New rows above do not move what is being read, except at the top.
    anchorTo: isAtTop ? 'start' : 'end',
  })
}

/** Scrolls to the open row when it changes, and focuses it unless the user is elsewhere. */
function useOpenRowInSight(
  rows: readonly { id: string }[],
  openId: string | undefined,
  scroller: RefObject<HTMLElement | null>,
  scrollToIndex: (index: number) => void,
): void {
  const index = useMemo(() => rows.findIndex(({ id }) => id === openId), [rows, openId])
  const isListed = index >= 0
  const previousId = useRef<string>(undefined)
  const listedId = useRef<string>(undefined)
  const wantsFocus = useRef(false)
  const showOpen = useEffectEvent(() => {
    const hasChanged = previousId.current !== undefined && previousId.current !== openId
    previousId.current = openId
    // A submission whose decision was undone is listed a moment later, or leaves the list and returns.
    if (hasChanged || (isListed && listedId.current === openId)) wantsFocus.current = true
    if (!isListed) return
    listedId.current = openId
    scrollToIndex(index)
  })
  useEffect(() => {
    if (openId !== undefined) showOpen()
  }, [openId, isListed])

  // A toast makes the list shorter, which must not hide the open row.
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let { bottom } = box.getBoundingClientRect()
    const observer = new ResizeObserver(() => {
      const before = bottom
      bottom = box.getBoundingClientRect().bottom
      const row = box.querySelector(OPEN_ROW)?.getBoundingClientRect()
      if (row && row.bottom > bottom && row.bottom <= before) box.scrollTop += row.bottom - bottom
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroller])

  // On every render, because the row may be rendered only after the list has scrolled to it.
  useEffect(() => {
    if (wantsFocus.current && focusRow(scroller.current)) wantsFocus.current = false
  })
}

const OPEN_ROW = '[aria-posinset] [aria-current="true"]'

/** Focuses the open row unless something outside the list has the focus. @returns false to try again */
function focusRow(scroller: HTMLElement | null): boolean {
  const row = scroller?.querySelector<HTMLElement>(OPEN_ROW)
  const focused = document.activeElement
  const isFree = focused === document.body || scroller?.contains(focused) || focused?.role === 'tab'
  if (row && isFree) row.focus({ preventScroll: true })
  return Boolean(row) || !isFree
}
