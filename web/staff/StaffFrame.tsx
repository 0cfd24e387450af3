import { useEffect, useRef } from 'react'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { Outlet, useLocation } from '#web/kit/router/index.ts'
import { SkipLink } from '#web/kit/SkipLink.tsx'
import { StaffHeader } from './StaffHeader.tsx'

/** Wraps every signed-in staff screen. Adds a skip link, focuses the heading, and shows a header even if the screen fails. */
export default function StaffFrame() {
  useFocusOnHeading()
  return (
    <>
      <SkipLink />
      <ErrorBoundary
        heading="h2"
        frame={(message) => (
          <div className="flex min-h-dvh flex-col">
            <StaffHeader title="Admin" />
            <main id="content" tabIndex={-1} className="outline-none">
              {message}
            </main>
          </div>
        )}
      >
        <Outlet />
      </ErrorBoundary>
    </>
  )
}

/** After navigation, screen readers and Tab continue at the new heading. */
function useFocusOnHeading(): void {
  const { pathname, action } = useLocation()
  // The first screen of a visit starts at the top; the one after signing in counts as navigation.
  const shown = useRef(action === 'pop' ? pathname : undefined)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [pathname])
}
