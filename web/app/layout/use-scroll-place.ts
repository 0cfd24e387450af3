import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from '#web/kit/router/index.ts'

/** How far each visited place was scrolled, by the key of its entry in the history; lives as long as the page. */
const places = new Map<string, number>()

/**
 * What browsers do between pages: a new screen begins at its top or at its #anchor, and going back finds the place
 * one has left.
 */
export function useScrollPlace(): void {
  const { key, pathname, hash, step } = useLocation()
  const shown = useRef({ key, pathname, hash })

  useEffect(() => {
    history.scrollRestoration = 'manual'
    // A reload is the browser's own business.
    const leave = () => {
      history.scrollRestoration = 'auto'
    }
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])

  useEffect(() => {
    // Of the screen that is shown when the event comes: one that begins at its top scrolls before effects change.
    const note = () => {
      // An #anchor was gone to and is not shown yet: this is its place, not that of the entry before.
      const isLate = location.pathname === shown.current.pathname && location.hash !== shown.current.hash
      if (!isLate) places.set(shown.current.key, scrollY)
    }
    // Whoever scrolled before the app was there has a place as well.
    note()
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [])

  useLayoutEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { key, pathname, hash }
    // A filter in the address.
    if (before.pathname === pathname && before.hash === hash && (step !== 'push' || !hash)) return
    const place = places.get(key)
    const anchor = hash ? document.getElementById(hash.slice(1)) : null
    // Nothing is returned: in new versions of Chromium scrollTo gives a promise, which is no clean-up function.
    if (step === 'pop' && place !== undefined) scrollTo({ top: place })
    else if (anchor) anchor.scrollIntoView()
    else scrollTo({ top: 0 })
  }, [key, pathname, hash, step])
}
