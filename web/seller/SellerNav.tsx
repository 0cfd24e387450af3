import { cx } from '#web/kit/cx.ts'
import { NavLink } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'

const pages = [
  { to: paths.transactions, label: 'Transactions' },
  { to: paths.processing, label: 'Processing' },
  { to: paths.profile, label: 'Profile' },
] as const

export function SellerNav() {
  return (
    <nav aria-label="Your account" className="flex gap-1 border-line border-b">
      {pages.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          className={({ isActive }) =>
            cx(
              'inline-flex min-h-12 items-center border-b-2 px-3 font-medium',
              isActive ? 'border-accent' : 'border-transparent text-soft hover:text-ink',
            )
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
