import { useEffect, useState } from 'react'

/** The last value that stayed the same for this many milliseconds. @param initial returned until then */
export function useDebounced<Value>(value: Value, milliseconds: number, initial: Value): Value {
  const [debounced, setDebounced] = useState(initial)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return debounced
}
