import { useEffect, useRef } from 'react'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { Outlet, useLocation } from '#web/kit/router/index.ts'
import { SkipLink } from '#web/kit/SkipLink.tsx'
import { StaffHeader } from './StaffHeader.tsx'

/** What every screen of signed-in staff has: the skip link, the focus on its heading, and a header that outlives it. */
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

/** After a step to another screen a screen reader goes on at its heading, and Tab from there. */
function useFocusOnHeading(): void {
  const { pathname, action } = useLocation()
  // The first page of a visit begins at its top, as any page does; the one after signing in is a step.
  const shown = useRef(action === 'pop' ? pathname : undefined)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [pathname])
}
