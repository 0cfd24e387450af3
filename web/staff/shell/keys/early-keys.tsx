import { useEffect } from 'react'
import { isTyping } from '#web/kit/is-typing.ts'
import { createStore, useStore } from '#web/kit/store.ts'
import { isCharacter } from './key-table.ts'

/** Milliseconds without a key until keys count again. If shorter, a slow typist's word starts to act in the middle. */
const PAUSE_MS = 1000

let ignoring = false
let timer: ReturnType<typeof setTimeout> | undefined
const ignoresKeys = createStore(
  () => ignoring,
  (next) => {
    ignoring = next
  },
)

/**
 * Call it for a key that came before its button was ready. The keys that follow are ignored until a pause, because they may be
 * text for a field that did not open: "receipt" after a lost I must not press R.
 */
export function ignoreKeys(): void {
  clearTimeout(timer)
  timer = setTimeout(() => ignoresKeys.set(false), PAUSE_MS)
  ignoresKeys.set(true)
}

/** Ignores keys after an early one, and says so. */
export function EarlyKeys() {
  useEffect(() => {
    function listener(event: KeyboardEvent) {
      if (!ignoring || isTyping(event.target) || !(isCharacter(event.key) || event.key === 'Enter')) return
      event.preventDefault()
      event.stopImmediatePropagation()
      ignoreKeys()
    }
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
  return (
    <p
      role="status"
      className="fixed bottom-4 left-1/2 z-50 -translate-x-1/2 rounded-md bg-caution-quiet px-4 py-2 text-caution text-sm shadow-raised empty:hidden"
    >
      {useStore(ignoresKeys) && 'A key came too early. Keys are ignored until you pause for a second.'}
    </p>
  )
}
