import { useEffect, useState } from 'react'

/** A held key repeats about every 35 milliseconds. */
const PASSED_BY = 80

/**
 * Whether somebody has stayed with what is shown. Whoever runs through the list with a key held down would ask
 * for the photos and the duplicates of everything on the way, and be refused for it.
 */
export function useLingered({ atOnce }: { atOnce: boolean }): boolean {
  const [lingered, setLingered] = useState(atOnce)
  useEffect(() => {
    const timer = setTimeout(() => setLingered(true), PASSED_BY)
    return () => clearTimeout(timer)
  }, [])
  return lingered
}
