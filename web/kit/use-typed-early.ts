import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/**
 * For a field on a prerendered page whose value is state: what somebody typed before the app was there is handed
 * over once it is.
 */
export function useTypedEarly(take: (value: string) => void): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  const onTyped = useEffectEvent(take)
  useEffect(() => {
    const typed = field.current?.value
    if (typed) onTyped(typed)
  }, [])
  return field
}
