import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

/**
 * For a controlled field on a prerendered page. Once the app has started, passes on what was typed before.
 * @param options.filters whether the text filters a list. Then it is passed on only after the presses from before the start
 */
export function useTypedEarly<Control extends HTMLInputElement | HTMLSelectElement = HTMLInputElement>(
  take: (value: string) => void,
  { filters = false } = {},
): RefObject<Control | null> {
  const field = useRef<Control>(null)
  const onTyped = useEffectEvent(take)
  // Before any effect renders the field again, which would empty it: the next key would be all that is left.
  useLayoutEffect(() => {
    const typed = field.current?.value
    if (typed && !filters) onTyped(typed)
  }, [])
  useEffect(() => {
    const typed = field.current?.value
    if (!typed || !filters) return
    let frame = 0
    // A button that moves while it is pressed gets no click, so this waits for its release.
    function handOver(text: string) {
      if (document.querySelector(':active')) frame = requestAnimationFrame(() => handOver(text))
      else onTyped(text)
    }
    handOver(typed)
    return () => cancelAnimationFrame(frame)
  }, [])
  return field
}
