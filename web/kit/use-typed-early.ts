import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** For a controlled field on a prerendered page. Once the app has started, passes on what was typed before. */
export function useTypedEarly<Control extends HTMLInputElement | HTMLSelectElement = HTMLInputElement>(
  take: (value: string) => void,
): RefObject<Control | null> {
  const field = useRef<Control>(null)
  const onTyped = useEffectEvent(take)
  // Before any effect renders the field again, which would empty it: the next key would be all that is left.
  useLayoutEffect(() => {
    const typed = field.current?.value
    let frame = 0
    // The text may filter a list. A button that moves while it is pressed gets no click, so this waits for its release.
    function handOver() {
      if (!typed) return
      if (document.querySelector(':active')) frame = requestAnimationFrame(handOver)
      else onTyped(typed)
    }
    handOver()
    return () => cancelAnimationFrame(frame)
  }, [])
  return field
}
