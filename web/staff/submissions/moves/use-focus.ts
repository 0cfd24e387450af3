import { type RefObject, useEffect, useRef } from 'react'

/** Gives the focus to an element of a dialog that has just opened: to what it was opened for, not to its cross. */
export function useFocus<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null)
  useEffect(() => element.current?.focus(), [])
  return element
}
