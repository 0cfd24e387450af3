import { useSyncExternalStore } from 'react'

/** Where a phone ends: Tailwind's `md`. */
export const WIDER_THAN_PHONE = '(min-width: 48rem)'
/**
 * Room beside the page's measure for something that floats there and covers nothing. A scroll bar is counted in: the
 * window's width says nothing of it, and the page has that much less.
 */
export const ROOM_BESIDE_PAGE = '(min-width: 92rem)'

/** Whether a media query holds, for what classes alone can't tell apart. False where it is prerendered. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}
