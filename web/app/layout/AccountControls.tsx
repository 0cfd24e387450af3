import { CircleUser, ShieldCheck } from 'lucide-react'
import type { User } from '#contract/accounts.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { MenuOnDemand } from '#web/kit/MenuOnDemand.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

const AccountMenu = lazyComponent(() => import('./menus.tsx').then((module) => module.AccountMenu))

/** The end of the top bar for signed-in sellers. Fetched once the session is known: most visitors are not signed in. */
export function AccountControls({ user }: { user: User }) {
  const t = useWords()
  const label = (
    <>
      <CircleUser aria-hidden="true" className="size-5" />
      <span className="hidden sm:inline">{t('site.nav.account')}</span>
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
      <MenuOnDemand name={t('site.nav.account')} label={label} prefetch={AccountMenu.prefetch}>
        <AccountMenu user={user} label={label} />
      </MenuOnDemand>
    </>
  )
}
