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
  const isAway = useRef(false)
  // A layout effect, so that the list does not visibly jump.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const first = messages[0]?.key
    const last = messages.at(-1)
    const before = seen.current
    if (before && before.first !== first && before.last === last?.key) {
      // Older messages were added above: keep what was being read in view.
      element.scrollTop += element.scrollHeight - before.height
    } else if (!before || (before.last !== last?.key && (last?.mine || !isAway.current))) {
      element.scrollTop = element.scrollHeight
    }
    seen.current = { first, last: last?.key, height: element.scrollHeight }
  }, [messages])
  // A long draft or a phone's keyboard makes the box smaller: keep the newest message in view.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (!isAway.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return {
    box,
    onScroll: () => {
      isAway.current = box.current !== null && fromEnd(box.current) > FOLLOW_WITHIN
      setAway(isAway.current)
    },
    away,
    toNewest: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
  }
}

function fromEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight
}
