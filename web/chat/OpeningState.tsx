import { Suspense, useEffect, useState } from 'react'
import type { OpeningHours } from '#domain/opening-hours.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { withWords } from '#web/words/words.ts'

/** The brand's (web/app/build/brand.ts), or null. */
declare const __OPENING_HOURS__: OpeningHours | null

// Without it, the hours are still there as a text.
const LiveOpening = lazyComponent(
  () => withWords(['hours'], import('./LiveOpening.tsx')).then((module) => module.LiveOpening),
  { silent: true },
)

/** Whether support is open now. An empty line until the app runs, so that nothing moves; nothing if the brand has no hours. */
export function OpeningState() {
  const [isRunning, setRunning] = useState(false)
  useEffect(() => setRunning(true), [])
  if (!__OPENING_HOURS__) return null
  return (
    <span className="block min-h-5 text-sm">
      <Suspense>{isRunning && <LiveOpening hours={__OPENING_HOURS__} />}</Suspense>
    </span>
  )
}
