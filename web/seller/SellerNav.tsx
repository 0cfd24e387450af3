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

/** The screens of the last tab. */
const settings = [
  { to: paths.profile, label: 'seller.settings.profile' },
  { to: paths.accountSecurity, label: 'seller.settings.security' },
  { to: paths.accountNotifications, label: 'seller.settings.notifications' },
  { to: paths.accountData, label: 'seller.settings.data' },
] as const

/** The tabs of the account, and below the last one its screens. Their texts start where the rest of the page does. */
export function SellerNav() {
  const t = useWords()
  const { pathname } = useLocation()
  const inSettings = settings.some(({ to }) => to === pathname)
  const tab = inSettings ? paths.profile : pathname === paths.accountCard ? paths.transactions : pathname
  return (
    <nav aria-label={t('seller.nav.label')} className="grid gap-3">
      <div className="border-line border-b">
        <div className="-mx-2 flex flex-wrap gap-x-1 sm:-mx-3">
          {pages.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              className={() =>
                cx(
                  'relative inline-flex min-h-12 items-center px-2 font-medium after:absolute after:inset-x-2 after:bottom-0 max-sm:text-sm sm:px-3 sm:after:inset-x-3',
                  to === tab ? 'after:border-accent after:border-b-2' : 'text-soft hover:text-ink',
                )
              }
            >
              {t(label)}
            </NavLink>
          ))}
        </div>
      </div>
      {inSettings && (
        <div className="-mx-1.5 flex flex-wrap sm:-mx-3 sm:gap-x-1">
          {settings.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              className={({ isActive }) =>
                cx(
                  'inline-flex min-h-11 items-center rounded-md px-1.5 font-medium text-sm sm:px-3 md:pointer-fine:min-h-9',
                  isActive ? 'bg-sunken' : 'text-soft hover:text-ink',
                )
              }
            >
              {t(label)}
            </NavLink>
          ))}
        </div>
      )}
    </nav>
  )
}
