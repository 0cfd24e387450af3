import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ShownMessage } from './message.ts'

/** So close to the end (in pixels) counts as reading along; further up somebody is reading what was said before. */
const READING_ALONG = 120

interface ReadingAlong {
  box: RefObject<HTMLDivElement | null>
  onScroll: () => void
  /** Whether somebody has scrolled up so far that they don't see what arrives. */
  away: boolean
  toNewest: () => void
}

/** Scrolls to the newest message, unless somebody has scrolled up to read; one's own always shows. */
export function useReadingAlong(messages: readonly ShownMessage[]): ReadingAlong {
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef<{ last: string | undefined; first: string | undefined; height: number }>(undefined)
  const [away, setAway] = useState(false)
  const isAway = useRef(false)
  // Before anything is painted, so that nobody sees the list jump.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const first = messages[0]?.key
    const last = messages.at(-1)
    const before = seen.current
    if (before && before.first !== first && before.last === last?.key) {
      // Older ones came in above: what was being read stays where it is.
      element.scrollTop += element.scrollHeight - before.height
    } else if (!before || (before.last !== last?.key && (last?.mine || !isAway.current))) {
      element.scrollTop = element.scrollHeight
    }
    seen.current = { first, last: last?.key, height: element.scrollHeight }
  }, [messages])
  // The box grows smaller with a long draft or a phone's keyboard: the newest message stays in sight.
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
      isAway.current = box.current !== null && fromEnd(box.current) > READING_ALONG
      setAway(isAway.current)
    },
    away,
    toNewest: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
  }
}

function fromEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight
}
