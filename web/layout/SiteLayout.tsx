import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { Footer } from './Footer.tsx'
import { TopBar } from './TopBar.tsx'

/** Everything but the staff's area: top bar, the screen, footer. */
export function SiteLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-surface focus:p-3"
      >
        Skip to content
      </a>
      <TopBar />
      <Content />
      <Footer />
      <ScrollRestoration />
    </div>
  )
}

/** Takes the focus after a step to another screen, so that a screen reader goes on there and not at the old link. */
function Content() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shownPath = useRef(pathname)
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main ref={main} id="content" tabIndex={-1} className="flex-1 outline-none">
      <Outlet />
    </main>
  )
}
