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
    return client.getQueryCache().subscribe(check)
  }, [client, idle])
  return idle
}
