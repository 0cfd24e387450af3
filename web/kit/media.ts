import { useSyncExternalStore } from 'react'

/** Tailwind's `md`. */
export const WIDER_THAN_PHONE = '(min-width: 48rem)'
/** Leaves room for a floating button beside the page's content, scroll bar included. */
export const ROOM_BESIDE_PAGE = '(min-width: 95rem)'

/** Whether a media query matches. False in prerendered documents. */
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

/** Scrolls to an element, smoothly unless the user prefers reduced motion. */
export function showInView(element: Element | null): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ behavior: still ? 'auto' : 'smooth' })
}
