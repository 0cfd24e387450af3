import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from '#web/kit/router/index.ts'
import { splitLocale } from '#words/locales.ts'

/** How far each history entry was scrolled, by its key. Lost on reload. */
const offsets = new Map<string, number>()

/**
 * Scrolls as browsers do between pages: a new screen starts at its top or its #anchor, and going back returns to
 * where the screen was left.
 */
export function useScrollRestoration(): void {
  const { key, pathname, hash, action } = useLocation()
  const shown = useRef({ key, pathname, hash })

  useEffect(() => {
    history.scrollRestoration = 'manual'
    // The browser handles a reload.
    const leave = () => {
      history.scrollRestoration = 'auto'
    }
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])

  useEffect(() => {
    const saveOffset = () => {
      // Skips offsets while the address already has an #anchor that is not shown yet: they belong to neither entry.
      const isLate =
        splitLocale(location.pathname).path === shown.current.pathname && location.hash !== shown.current.hash
      if (!isLate) offsets.set(shown.current.key, scrollY)
    }
    // The page may have been scrolled before the app started.
    saveOffset()
    addEventListener('scroll', saveOffset, { passive: true })
    return () => removeEventListener('scroll', saveOffset)
  }, [])

  useLayoutEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { key, pathname, hash }
    // Only the query changed: a filter, for example.
    if (before.pathname === pathname && before.hash === hash && (action !== 'push' || !hash)) return
    const offset = offsets.get(key)
    const anchor = hash ? document.getElementById(hash.slice(1)) : null
    if (action === 'pop' && offset !== undefined) scrollTo({ top: offset })
    else if (anchor) anchor.scrollIntoView()
    else scrollTo({ top: 0 })
  }, [key, pathname, hash, action])
}
