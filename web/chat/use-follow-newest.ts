import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ShownMessage } from './message.ts'

/** Pixels from the bottom. Further up, the reader is looking at older messages. */
const FOLLOW_WITHIN = 120

interface FollowNewest {
  box: RefObject<HTMLDivElement | null>
  onScroll: () => void
  /** Whether the reader has scrolled up and would not see a new message. */
  away: boolean
  toNewest: () => void
}

/** Scrolls to the newest message unless the reader has scrolled up. Their own messages always show. */
export function useFollowNewest(messages: readonly ShownMessage[]): FollowNewest {
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef<{ last: string | undefined; first: string | undefined; height: number }>(undefined)
  const [away, setAway] = useState(false)
  /** Pixels below what is in view. */
  const below = useRef(0)
  // A layout effect, so that the list does not visibly jump.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const first = messages[0]?.key
    const last = messages.at(-1)
    const before = seen.current
    const height = element.scrollHeight
    const hasNewLast = before?.last !== last?.key
    if (before && before.first !== first && !hasNewLast) {
      // Older messages were added above: keep what was being read in view.
      element.scrollTop += height - before.height
    } else if ((hasNewLast && last?.mine) || (before?.height !== height && below.current <= FOLLOW_WITHIN)) {
      element.scrollTop = height
    }
    seen.current = { first, last: last?.key, height }
  }, [messages])
  // A long draft or a phone's keyboard makes the box smaller: keep the newest messages where they are, above it.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (below.current <= FOLLOW_WITHIN) {
        element.scrollTop = element.scrollHeight - element.clientHeight - below.current
      }
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return {
    box,
    onScroll: () => {
      if (!box.current) return
      const { scrollHeight, scrollTop, clientHeight } = box.current
      below.current = scrollHeight - scrollTop - clientHeight
      setAway(below.current > FOLLOW_WITHIN)
    },
    away,
    toNewest: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
  }
}
