import { useSyncExternalStore } from 'react'

/** Whether somebody can see the page: false in a tab behind another one. */
export function useInSight(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
