import { useSyncExternalStore } from 'react'

/** Tailwind's `md`: where a phone ends. */
const WIDE = '(min-width: 48rem)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether there is more room than on a phone, for what classes alone can't tell apart. False where it is prerendered. */
export function useWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => false,
  )
}
