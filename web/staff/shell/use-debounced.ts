import { useEffect, useState } from 'react'

/** Milliseconds after a change in which a press may be an accidental repeat of the one before. */
export const DOUBLE_PRESS_MS = 400

/** The last value that stayed the same for this many milliseconds. @param initial returned until then */
export function useDebounced<Value>(value: Value, milliseconds: number, initial: Value): Value {
  const [debounced, setDebounced] = useState(initial)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return debounced
}
