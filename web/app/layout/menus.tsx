import { useMutation } from '@tanstack/react-query'
import {
  Hourglass,
  House,
  Languages,
  LifeBuoy,
  ListOrdered,
  LogIn,
  LogOut,
  ReceiptText,
  UserCog,
  UserPlus,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Menu, MenuAction, MenuEntry, MenuLink } from '#web/kit/Menu.tsx'
import { useMedia } from '#web/kit/media.ts'
import { useNavigate } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useSetSession } from '#web/wire/session.ts'
import { HOW_IT_WORKS, paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import type { SHELF_DATABASE } from '../../seller/sell-card/shelf.ts'
import { LanguageLink } from './LanguageLink.tsx'

const icon = 'size-5 text-soft'

/** On wide windows the top bar itself has these links. */
function SiteLinks() {
  const t = useWords()
  return (
    <>
      <MenuLink to={paths.home + HOW_IT_WORKS} icon={<ListOrdered aria-hidden="true" className={icon} />}>
        {t('site.nav.howItWorks')}
      </MenuLink>
      <MenuLink to={paths.help} icon={<LifeBuoy aria-hidden="true" className={icon} />}>
        {t('site.nav.help')}
      </MenuLink>
      <MenuEntry link={<LanguageLink icon={<Languages aria-hidden="true" className={icon} />} />} />
    </>
  )
}

/** Too narrow for them in the top bar. */
const NARROW = '(width < 64rem)'

export function AccountMenu({ user, label }: { user: User; label: ReactNode }) {
  const t = useWords()
  const signOut = useSignOut()
  const isNarrow = useMedia(NARROW)
  return (
    <Menu title={user.firstName || user.username} label={label} defaultOpen>
      <MenuLink to={paths.account} icon={<House aria-hidden="true" className={icon} />}>
        {t('site.nav.home')}
      </MenuLink>
      <MenuLink to={paths.transactions} icon={<ReceiptText aria-hidden="true" className={icon} />}>
        {t('site.nav.transactions')}
      </MenuLink>
      <MenuLink to={paths.processing} icon={<Hourglass aria-hidden="true" className={icon} />}>
        {t('site.nav.processing')}
      </MenuLink>
      <MenuLink to={paths.profile} icon={<UserCog aria-hidden="true" className={icon} />}>
        {t('site.nav.profile')}
      </MenuLink>
      {isNarrow && <SiteLinks />}
      <MenuAction
        onSelect={() => signOut.mutate()}
        disabled={signOut.isPending}
        icon={<LogOut aria-hidden="true" className={icon} />}
      >
        {t('site.nav.signOut')}
      </MenuAction>
    </Menu>
  )
}

function useSignOut() {
  const t = useWords()
  const navigate = useNavigate()
  const setSession = useSetSession()
  return useMutation({
    mutationFn: () => call(routes.logout, {}),
    onSuccess: async () => {
      // Goes to a page that needs no session first, so that no screen asks to sign in again.
      await navigate(paths.home)
      setSession(null)
      forgetTyped()
    },
    onError: (error) =>
      toast({
        title: t('site.nav.signOutFailed'),
        description: messageOf(error, t('site.tryAgain')),
        variant: 'destructive',
      }),
  })
}

// Only its type: the file belongs to the sell form.
const shelf: typeof SHELF_DATABASE = 'shelf'

/** Quotes, drafts, photos and messages that were not sent are not for the next person at this device. Staff have their own. */
function forgetTyped() {
  try {
    for (const key of Object.keys(sessionStorage))
      if (!key.startsWith('staff-')) sessionStorage.removeItem(key)
    indexedDB.deleteDatabase(shelf)
  } catch {
    // Storage is off, so nothing was kept.
  }
}

/** What does not fit into the top bar on phones and tablets. */
export function SignInMenu({ label }: { label: ReactNode }) {
  const t = useWords()
  // From these widths on, the top bar itself has them.
  const hasSignIn = useMedia('(width >= 48rem)')
  const hasSignUp = useMedia('(width >= 40rem)')
  return (
    <Menu name={t('site.nav.menu')} label={label} defaultOpen>
      {!hasSignIn && (
        <MenuLink to={paths.login} icon={<LogIn aria-hidden="true" className={icon} />}>
          {t('site.nav.signIn')}
        </MenuLink>
      )}
      {!hasSignUp && (
        <MenuLink to={paths.register} icon={<UserPlus aria-hidden="true" className={icon} />}>
          {t('site.nav.signUp')}
        </MenuLink>
      )}
      <SiteLinks />
    </Menu>
  )
}
