import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** True once the screen's first requests have been answered. */
export function useIdle(): boolean {
  const client = useQueryClient()
  const [idle, setIdle] = useState(false)
  // Child effects run first, so the screen's requests have already started.
  useEffect(() => {
    if (idle) return
    const check = () => client.isFetching() === 0 && setIdle(true)
    check()
    // Later, because a component that renders a new query tells the cache in the middle of it.
    return client.getQueryCache().subscribe(() => queueMicrotask(check))
  }, [client, idle])
  return idle
}
