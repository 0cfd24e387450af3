import { useEffect, useState } from 'react'
import { serverNow } from '#web/wire/server-clock.ts'

/** The time of day at the server, brought up to date every so many milliseconds. */
export function useNow(milliseconds: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
  return now
}
