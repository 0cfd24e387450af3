import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { ChatThread } from '#contract/staff-chat.ts'
import { cx } from '#web/kit/cx.ts'
import { ROW_REM, ThreadRow } from './ThreadRow.tsx'

/** Rows beyond what is in sight: enough for a fast wheel. */
const BEYOND = 8
/** More is fetched when this many rows are left below. */
const AHEAD = 20

interface ThreadRowsProps {
  rows: readonly ChatThread[]
  selected: string | undefined
  onSelect: (id: string) => void
  /** What scrolls. */
  scroller: RefObject<HTMLElement | null>
  /** Fetches what comes below; undefined: nothing does, or not by scrolling. */
  fetchMore: (() => void) | undefined
  faded: boolean
}

/** Of thousands of conversations, those in the page that are in sight. */
export function ThreadRows({ rows, selected, onSelect, scroller, fetchMore, faded }: ThreadRowsProps) {
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    getItemKey: (place) => rows[place]?.id ?? place,
    overscan: BEYOND,
  })
  const shown = virtualizer.getVirtualItems()
  const wantsMore = fetchMore !== undefined && (shown.at(-1)?.index ?? 0) >= rows.length - AHEAD
  const fetch = useEffectEvent(() => fetchMore?.())
  useEffect(() => {
    if (wantsMore) fetch()
  }, [wantsMore])
  return (
    <ul
      aria-label="Conversations"
      style={{ height: virtualizer.getTotalSize() }}
      className={cx('relative', faded && 'opacity-60')}
    >
      {shown.map(({ index, start, size }) => {
        const thread = rows[index]
        return (
          thread && (
            <li
              key={thread.id}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ height: size, transform: `translateY(${start}px)` }}
              className="absolute inset-x-0 top-0 border-line border-b"
            >
              <ThreadRow thread={thread} open={thread.id === selected} onSelect={onSelect} />
            </li>
          )
        )
      })}
    </ul>
  )
}

/** In pixels; rows grow with the size of the reader's type. */
function rowHeight(): number {
  return ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
