import { useEffect, useState } from 'react'

/** The second press of a double-click, or of a key that was meant once. */
const BLINK = 400

/**
 * Whether what is shown has been in sight long enough for a press to be meant for it. After a decision the
 * next submission takes the place of the one before, its buttons under the same pointer.
 */
export function useSettled(cameByItself: boolean): boolean {
  const [settled, setSettled] = useState(!cameByItself)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), BLINK)
    return () => clearTimeout(timer)
  }, [])
  return settled
}
