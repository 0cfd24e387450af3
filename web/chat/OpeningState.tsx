import { type ComponentType, useEffect, useState } from 'react'
import type { OpeningHours } from '#domain/opening-hours.ts'
import { withWords } from '#web/words/words.ts'

/** The brand's (web/app/build/brand.ts), or null. */
declare const __OPENING_HOURS__: OpeningHours | null

/** Whether support is open now. An empty line until its code is there, so that nothing moves; nothing if the brand has no hours. */
export function OpeningState() {
  const [Live, setLive] = useState<ComponentType<{ hours: OpeningHours }>>()
  useEffect(() => {
    if (!__OPENING_HOURS__) return
    // Without it, the hours are still there as a text.
    withWords(['hours'], import('./LiveOpening.tsx')).then(
      ({ LiveOpening }) => setLive(() => LiveOpening),
      () => undefined,
    )
  }, [])
  if (!__OPENING_HOURS__) return null
  return <span className="block min-h-5 text-sm">{Live && <Live hours={__OPENING_HOURS__} />}</span>
}
