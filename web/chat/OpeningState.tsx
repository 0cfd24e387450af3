import { Suspense, useEffect, useRef, useState } from 'react'
import type { OpeningHours } from '#domain/opening-hours.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'

/** The brand's (web/app/build/brand.ts), or null. */
declare const __OPENING_HOURS__: OpeningHours | null

// If it fails, the hours are still there as text.
const LiveOpening = lazyComponent(() => import('./LiveOpening.tsx').then((module) => module.LiveOpening), {
  silent: true,
})

/**
 * Whether support is open now. An empty line until it is in view, so that nothing moves: a slow phone takes 50 ms for its first
 * date, and most visitors of the landing page do not scroll down to it. Nothing if the brand has no hours.
 * @param forReply says when a person answers
 */
export function OpeningState({ forReply = false }: { forReply?: boolean }) {
  const line = useRef<HTMLSpanElement>(null)
  const [wasInView, setInView] = useState(false)
  useEffect(() => {
    if (!line.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true)
    })
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [])
  if (!__OPENING_HOURS__) return null
  return (
    <span ref={line} className="block min-h-5 text-sm">
      <Suspense>{wasInView && <LiveOpening hours={__OPENING_HOURS__} forReply={forReply} />}</Suspense>
    </span>
  )
}

/** Shown below a message that nobody has answered yet: that it arrived, and when somebody answers. */
export function WaitingForReply({ received }: { received: string }) {
  return (
    <>
      {received}
      <OpeningState forReply />
    </>
  )
}
