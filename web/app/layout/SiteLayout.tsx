import { Suspense, useEffect, useRef } from 'react'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Outlet, useLocation } from '#web/kit/router/index.ts'
import { SkipLink } from '#web/kit/SkipLink.tsx'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { useWords, withWords } from '#web/words/words.ts'
import { Footer } from './Footer.tsx'
import { TopBar } from './TopBar.tsx'
import { useScrollRestoration } from './use-scroll-restoration.ts'

/** The layout outside the staff area: top bar, screen, footer. */
export function SiteLayout() {
  useScrollRestoration()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <TopBar />
      <Content />
      <Footer />
      <ForSellers />
    </div>
  )
}

/** Receives focus when the screen changes, so that a screen reader continues there instead of at the old link. */
function Content() {
  const main = useRef<HTMLElement>(null)
  const t = useWords()
  const { pathname, search } = useLocation()
  const sent = pathname === paths.confirmation && new URLSearchParams(search)
  const shownPath = useRef(pathname)
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main ref={main} id="content" tabIndex={-1} className="flex-1 outline-none">
      <ErrorBoundary
        text={sent ? t('confirmation.notLoaded', { count: sent.has('saleId') ? 2 : 1 }) : undefined}
      >
        <Outlet />
      </ErrorBoundary>
    </main>
  )
}

const SignedIn = lazyComponent(
  () => withWords('seller', import('#web/seller/SignedIn.tsx')).then((module) => module.SignedIn),
  { silent: true },
)

/** What signed-in sellers have on every page. */
function ForSellers() {
  const session = useSession()
  return (
    session.status === 'signed-in' && (
      <Suspense>
        <SignedIn user={session.user} />
      </Suspense>
    )
  )
}
