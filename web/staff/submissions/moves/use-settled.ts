import { useEffect, useState } from 'react'

/** Milliseconds for the second press of a double-click, or of a key that was meant once. */
export const BLINK = 400
/** For somebody to see that what they were about to press has changed under their hand. */
export const GLANCE = 1200

/**
 * Whether what is shown has been in sight long enough for a press to be meant for it. After a decision the
 * next submission takes the place of the one before, its buttons under the same pointer; and a colleague's move
 * puts other buttons there.
 * @param shown what the buttons depend on
 */
export function useSettled(shown: number, { atFirst, after }: { atFirst: boolean; after: number }): boolean {
  const [settled, setSettled] = useState(atFirst ? shown : undefined)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(shown), after)
    return () => clearTimeout(timer)
  }, [shown, after])
  return settled === shown
}
