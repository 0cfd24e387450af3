import { LockKeyhole } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { ButtonLink } from '#web/kit/Button.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useStore } from '#web/kit/store.ts'
import { returnAddress, takeReturnAddress } from '#web/wire/return-address.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** The layout of the screens for signing in, registering, resetting a password, and emailed links. */
export function SignInPage(props: SignInPageProps) {
  const { title, intro, other, startsSelling = false, newHere = false, children } = props
  const t = useWords()
  return (
    <div className="measure py-8 md:py-16">
      <PageTitle>{title}</PageTitle>
      <div className="mx-auto grid max-w-md gap-6">
        <header className="grid gap-2">
          <h1 className="text-3xl">{title}</h1>
          <p className="text-balance text-lg text-soft">{intro}</p>
        </header>
        <QuoteToSell />
        {newHere && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="font-medium">{t('signIn.login.newHere')}</p>
            <ButtonLink to={paths.register} replace variant="secondary" size="lg" className="max-sm:w-full">
              {t('signIn.register.submit')}
            </ButtonLink>
          </div>
        )}
        {/* A message instead of a form has its own box. */}
        <Panel className="has-[>[role=alert]]:contents">{children}</Panel>
        {other && <p className="text-balance text-center">{other}</p>}
        {startsSelling && (
          <p className="flex items-start justify-center gap-2 text-soft text-sm">
            <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {t('signIn.encrypted')}
          </p>
        )}
      </div>
    </div>
  )
}

const KeptQuote = lazyComponent(() => import('./KeptQuote.tsx').then((module) => module.KeptQuote), {
  silent: true,
})

/** The quotes of a visitor who was about to sell. */
function QuoteToSell() {
  const [path, query] = (useStore(returnAddress) ?? '').split('?')
  if (path !== paths.sellCard) return null
  return (
    <Suspense fallback={<Skeleton className="h-19" />}>
      <KeptQuote query={new URLSearchParams(query)} />
    </Suspense>
  )
}

interface SignInPageProps {
  title: string
  intro: string
  /** A link to a related screen. */
  other?: ReactNode
  /** Offers an account first: most visitors who are about to sell have none. */
  newHere?: boolean
  /** Says how we keep the numbers that a seller is about to enter. */
  startsSelling?: boolean
  children: ReactNode
}

/** Milliseconds before the redirect, to read the toast (spec section 9). */
const RETURN_DELAY = 1000
const HOME_DELAY = 500

/** Redirects after sign-in: back to the address that required it, or home. Leaving the screen cancels the redirect. */
export function useSignInRedirect(): () => void {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    const kept = takeReturnAddress()
    timer.current = setTimeout(
      () => navigate(kept ?? paths.home, { replace: true }),
      kept ? RETURN_DELAY : HOME_DELAY,
    )
  }
}
