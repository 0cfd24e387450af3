import { useEffect } from 'react'
import { isTyping } from '#web/kit/is-typing.ts'
import { createStore, useStore } from '#web/kit/store.ts'
import { isCharacter } from './key-table.ts'

/** Milliseconds without a key until keys count again. If shorter, a slow typist's word starts to act in the middle. */
const PAUSE_MS = 1000
/** Milliseconds that the line about the lost key stays, because a busy page may show it late. */
const SHOWN_MS = 6000

interface LostKey {
  readonly name: string
  /** Whether the keys that follow are still ignored. */
  readonly ignoring: boolean
}

let lost: LostKey | undefined
let timers: ReturnType<typeof setTimeout>[] = []
const lostKey = createStore<LostKey | undefined>(
  () => lost,
  (next) => {
    lost = next
  },
)

/**
 * Call it for a key that came before its button was ready. The keys that follow are ignored until a pause, because they may be
 * text for a field that did not open: "receipt" after a lost I must not press R.
 */
export function ignoreKeys({ key }: KeyboardEvent): void {
  for (const timer of timers) clearTimeout(timer)
  const name = lost?.ignoring ? lost.name : isCharacter(key) ? key.toUpperCase() : key
  timers = [
    setTimeout(() => lostKey.set({ name, ignoring: false }), PAUSE_MS),
    setTimeout(() => lostKey.set(undefined), SHOWN_MS),
  ]
  lostKey.set({ name, ignoring: true })
}

/** Ignores keys after an early one, and says so. */
export function EarlyKeys() {
  const shown = useStore(lostKey)
  useEffect(() => {
    function listener(event: KeyboardEvent) {
      if (!lost?.ignoring || isTyping(event.target)) return
      if (!isCharacter(event.key) && event.key !== 'Enter') return
      event.preventDefault()
      event.stopImmediatePropagation()
      ignoreKeys(event)
    }
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
  return (
    <p
      role="status"
      className="pointer-events-none fixed bottom-[calc(1rem+var(--above,0px))] left-1/2 z-50 w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 rounded-md bg-caution-quiet px-4 py-2 text-caution text-sm shadow-raised empty:hidden"
    >
      {shown && (
        <>
          <b>{shown.name}</b> was not used: the screen was not ready.
          {shown.ignoring && ' Keys are ignored until you pause for a second.'}
        </>
      )}
    </p>
  )
}
