import { cx } from '#web/kit/cx.ts'
import { NavLink, useLocation } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

const pages = [
  { to: paths.account, label: 'seller.nav.home' },
  { to: paths.transactions, label: 'seller.nav.transactions' },
  { to: paths.processing, label: 'seller.nav.processing' },
  { to: paths.profile, label: 'seller.nav.profile' },
] as const

/** The screens below the profile. */
const settings: readonly string[] = [paths.accountNotifications, paths.accountSecurity, paths.accountData]

export function SellerNav() {
  const t = useWords()
  const { pathname } = useLocation()
  const isWithin = (to: string) => to === paths.profile && settings.includes(pathname)
  return (
    <nav aria-label={t('seller.nav.label')} className="flex flex-wrap gap-x-1 border-line border-b">
      {pages.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          className={({ isActive }) =>
            cx(
              'inline-flex min-h-12 items-center border-b-2 px-2 font-medium max-sm:text-sm sm:px-3',
              isActive || isWithin(to) ? 'border-accent' : 'border-transparent text-soft hover:text-ink',
            )
          }
        >
          {t(label)}
        </NavLink>
      ))}
    </nav>
  )
}
