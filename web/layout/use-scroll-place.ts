import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from '../router/index.ts'

/** How far each visited place was scrolled, by the key of its entry in the history; lives as long as the page. */
const places = new Map<string, number>()

/**
 * What browsers do between pages: a new screen begins at its top or at its #anchor, and going back finds the place
 * one has left.
 */
export function useScrollPlace(): void {
  const { key, pathname, hash, step } = useLocation()
  const shown = useRef({ key, pathname })

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
    const note = () => places.set(shown.current.key, scrollY)
    // Whoever scrolled before the app was there has a place as well.
    note()
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [])

  useLayoutEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { key, pathname }
    // A filter in the address, or an #anchor that the browser itself has gone to.
    if (before.pathname === pathname && (step !== 'push' || !hash)) return
    if (step === 'pop') return scrollTo({ top: places.get(key) ?? 0 })
    const anchor = hash ? document.getElementById(hash.slice(1)) : null
    if (anchor) anchor.scrollIntoView()
    else scrollTo({ top: 0 })
  }, [key, pathname, hash, step])
}
