import { type RefObject, useEffect, useRef } from 'react'

/** Focuses an element when a dialog opens, instead of its close button. */
export function useFocus<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
