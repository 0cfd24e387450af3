import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link, NavLink } from '../router/index.ts'
import { useSession } from '../api/session.ts'
import { productName } from '../copy/site.ts'
import { paths } from '../paths.ts'
import { ButtonLink, buttonClass } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Logo } from './Logo.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

// Menus come in a bundle of their own, so that the first page doesn't wait for them.
const AccountMenu = lazy(() =>
  import('./AccountMenu.tsx').then((module) => ({ default: module.AccountMenu })),
)
const SignInMenu = lazy(() => import('./SignInMenu.tsx').then((module) => ({ default: module.SignInMenu })))

export function TopBar() {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-page">
      <nav aria-label="Main" className="measure flex h-16 items-center gap-0.5 sm:gap-2">
        <Link to={paths.home} aria-label={productName} className="mr-auto rounded-sm py-2">
          <Logo />
        </Link>
        <NavLink
          to={paths.getQuote}
          className={({ isActive }) =>
            cx(
              buttonClass({ variant: 'quiet', size: 'sm' }),
              'whitespace-nowrap max-sm:px-2',
              isActive && 'text-accent underline decoration-2 underline-offset-8',
            )
          }
        >
          Get Quote
        </NavLink>
        <ThemeToggle />
        {/* The support chat's button stands here on phones (web/seller/support). */}
        <div id="support-chat" className="contents" />
        <AccountCorner />
      </nav>
    </header>
  )
}

function AccountCorner() {
  const session = useSession()
  const placeholder = <Skeleton className="h-11 w-14 sm:w-36" />
  if (session.status === 'loading') return <div aria-busy="true">{placeholder}</div>
  if (session.status === 'signed-out') return <SignedOutCorner />
  return (
    <Suspense fallback={placeholder}>
      {session.user.showsAdminDashboard && (
        <ButtonLink to={paths.admin} variant="quiet" aria-label="Admin Dashboard" className="max-sm:px-3">
          <ShieldCheck aria-hidden="true" className="size-5" />
          <span className="hidden md:inline">Admin Dashboard</span>
        </ButtonLink>
      )}
      <AccountMenu user={session.user} />
    </Suspense>
  )
}

function SignedOutCorner() {
  return (
    <>
      <div className="hidden gap-2 sm:flex">
        <ButtonLink to={paths.login} variant="quiet">
          Sign In
        </ButtonLink>
        <ButtonLink to={paths.register}>Sign Up</ButtonLink>
      </div>
      <div className="sm:hidden">
        <Suspense fallback={<Skeleton className="h-11 w-14" />}>
          <SignInMenu />
        </Suspense>
      </div>
    </>
  )
}
