import { useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'

/** The server's time, updated at this interval. */
export function useNow(milliseconds: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
  return now
}
