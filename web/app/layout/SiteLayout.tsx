import { X } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { IconButton } from '#web/kit/Button.tsx'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Outlet, useLocation } from '#web/kit/router/index.ts'
import { SkipLink } from '#web/kit/SkipLink.tsx'
import { writeStored } from '#web/kit/store.ts'
import { dismissErrorToast } from '#web/kit/toast.ts'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { useWords, withWords } from '#web/words/words.ts'
import { localeNames } from '#words/locales.ts'
import { Footer } from './Footer.tsx'
import { LanguageLink } from './LanguageLink.tsx'
import { TopBar } from './TopBar.tsx'
import { useScrollRestoration } from './use-scroll-restoration.ts'

/** The layout outside the staff area: top bar, screen, footer. */
export function SiteLayout() {
  useScrollRestoration()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <TopBar />
      <SpanishHint />
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
    dismissErrorToast()
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

/**
 * Offers Spanish on an English page. early/page.js reveals it before the first paint, so that nothing moves, in browsers that
 * prefer Spanish.
 */
function SpanishHint() {
  const t = useWords()
  if (t.locale !== 'en') return null
  function close() {
    writeStored('localStorage', 'spanish-hint', 'closed')
    delete document.documentElement.dataset.spanishHint
  }
  return (
    <aside
      lang="es"
      aria-label={localeNames.es}
      className="hidden bg-sunken text-sm in-data-spanish-hint:block"
    >
      <div className="measure flex items-center justify-between gap-2">
        <p>
          <span className="max-sm:hidden">{t('site.spanish.question')} </span>
          <LanguageLink className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4">
            {t('site.spanish.link')}
          </LanguageLink>
        </p>
        <IconButton label={t('site.spanish.close')} onClick={close}>
          <X aria-hidden="true" className="size-5" />
        </IconButton>
      </div>
    </aside>
  )
}

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
