import { CircleUser, ShieldCheck } from 'lucide-react'
import type { User } from '#contract/accounts.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { MenuOnDemand } from '#web/kit/MenuOnDemand.tsx'
import { useWaitingCards } from '#web/seller/home/NeedsYou.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

const AccountMenu = lazyComponent(() => import('./menus.tsx').then((module) => module.AccountMenu))

/**
 * The end of the top bar for signed-in sellers, with the number of cards that wait for them. Fetched once the session is known:
 * most visitors are not signed in.
 */
export function AccountControls({ user }: { user: User }) {
  const t = useWords()
  const waiting = useWaitingCards()
  const label = (
    <>
      <span aria-hidden="true" className={cx('relative -m-2 p-2', waiting > 0 && 'sm:mr-0')}>
        <CircleUser className="size-5" />
        {waiting > 0 && (
          <span className="figures absolute -top-1 -right-1.5 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1 font-semibold text-on-accent text-xs leading-none">
            {waiting > 9 ? '9+' : waiting}
          </span>
        )}
      </span>
      <span className="max-sm:sr-only">{t('site.nav.account')}</span>
      {waiting > 0 && <span className="sr-only">, {t('site.nav.needsYou', { count: waiting })}</span>}
    </>
  )
  return (
    <>
      {user.showsAdminDashboard && (
        <ButtonLink
          to={paths.admin}
          variant="quiet"
          aria-label={t('site.nav.adminDashboard')}
          className="max-sm:px-3"
        >
          <ShieldCheck aria-hidden="true" className="size-5" />
          <span className="hidden xl:inline">{t('site.nav.adminDashboard')}</span>
        </ButtonLink>
      )}
      <MenuOnDemand label={label} prefetch={AccountMenu.prefetch}>
        <AccountMenu user={user} label={label} />
      </MenuOnDemand>
    </>
  )
}
