import { CloudOff, Menu as MenuIcon, Moon, Sun } from 'lucide-react'
import { Suspense } from 'react'
import { ButtonLink, buttonClass, IconButton } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Logo } from '#web/kit/Logo.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { MenuOnDemand } from '#web/kit/MenuOnDemand.tsx'
import { Link, NavLink } from '#web/kit/router/index.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useTheme } from '#web/kit/theme.ts'
import { useSession } from '#web/wire/session.ts'
import { HOW_IT_WORKS, paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { LanguageLink } from './LanguageLink.tsx'

const AccountControls = lazyComponent(
  () => import('./AccountControls.tsx').then((module) => module.AccountControls),
  {
    silent: true,
  },
)
const SignInMenu = lazyComponent(() => import('./menus.tsx').then((module) => module.SignInMenu))

/**
 * The last column is as wide as its usual content, so that nothing moves once the session is known or while the
 * document is still arriving.
 */
const columns =
  'grid-cols-[1fr_auto_2.75rem_auto_minmax(3rem,auto)] sm:grid-cols-[1fr_auto_2.75rem_auto_minmax(14rem,auto)] md:grid-cols-[1fr_auto_2.75rem_auto_minmax(22rem,auto)] lg:grid-cols-[1fr_auto_auto_auto_auto_2.75rem_auto_minmax(17rem,auto)]'

export function TopBar() {
  const t = useWords()
  return (
    <header className="@container sticky top-0 z-30 border-line border-b bg-page">
      <nav
        aria-label={t('site.nav.label')}
        // A phone with enlarged text has no room for everything in one row.
        className={`measure grid min-h-16 items-center @max-[19rem]:flex @max-[19rem]:flex-wrap sm:gap-2 ${columns}`}
      >
        <Link
          to={paths.home}
          aria-label={shopBrand.name}
          className="mr-auto justify-self-start rounded-sm py-2"
        >
          <Logo />
        </Link>
        <NavLink
          to={paths.getQuote}
          className={({ isActive }) =>
            cx(
              buttonClass({ variant: 'quiet' }),
              '@max-[19rem]:hidden whitespace-nowrap max-sm:px-1 max-sm:text-sm',
              isActive && 'text-accent! underline decoration-2 underline-offset-8',
            )
          }
        >
          {t('site.nav.getQuote')}
        </NavLink>
        <ButtonLink
          to={paths.home + HOW_IT_WORKS}
          variant="quiet"
          className="whitespace-nowrap max-lg:hidden"
        >
          {t('site.nav.howItWorks')}
        </ButtonLink>
        <ButtonLink to={paths.help} variant="quiet" className="max-lg:hidden">
          {t('site.nav.help')}
        </ButtonLink>
        <LanguageLink className={cx(buttonClass({ variant: 'quiet' }), 'max-lg:hidden')} />
        <ThemeToggle />
        {/* The support chat's button moves here where it would cover the page (web/seller/support). */}
        <div id="support-chat" />
        <div className="flex items-center justify-end gap-0.5 sm:gap-2">
          <AccountCorner />
        </div>
      </nav>
    </header>
  )
}

function ThemeToggle() {
  const t = useWords()
  const { theme, toggle } = useTheme()
  const Icon = theme === 'dark' ? Sun : Moon
  return (
    <IconButton label={t(theme === 'dark' ? 'site.nav.lightTheme' : 'site.nav.darkTheme')} onClick={toggle}>
      <Icon aria-hidden="true" className="size-5" />
    </IconButton>
  )
}

function AccountCorner() {
  const t = useWords()
  const session = useSession()
  const waiting = (
    <div aria-busy="true">
      <Skeleton className="h-11 w-12 sm:w-36" />
    </div>
  )
  if (session.status === 'loading') return waiting
  if (session.status === 'unreachable') {
    return (
      <span role="status" className="flex items-center gap-2 text-caution text-sm">
        <CloudOff aria-hidden="true" className="size-5" />
        <span className="max-sm:sr-only">{t('site.nav.reconnecting')}</span>
      </span>
    )
  }
  if (session.status === 'signed-out') return <SignedOutCorner />
  return (
    <Suspense fallback={waiting}>
      <AccountControls user={session.user} />
    </Suspense>
  )
}

function SignedOutCorner() {
  const t = useWords()
  const label = <MenuIcon aria-hidden="true" className="size-5" />
  return (
    <>
      <ButtonLink to={paths.login} variant="quiet" className="max-md:hidden">
        {t('site.nav.signIn')}
      </ButtonLink>
      <ButtonLink to={paths.register} className="max-sm:hidden">
        {t('site.nav.signUp')}
      </ButtonLink>
      <div className="lg:hidden">
        <MenuOnDemand name={t('site.nav.menu')} label={label} prefetch={SignInMenu.prefetch}>
          <SignInMenu label={label} />
        </MenuOnDemand>
      </div>
    </>
  )
}
