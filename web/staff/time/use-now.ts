import { useEffect, useState } from 'react'

/** The time of day, brought up to date every so many milliseconds. */
export function useNow(milliseconds: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
  return now
}
