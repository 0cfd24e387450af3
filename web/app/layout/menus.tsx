import { LogIn, LogOut, ReceiptText, UserCog, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { Menu, MenuAction, MenuLink } from '#web/kit/Menu.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useSignOut } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'

const icon = 'size-5 text-soft'

export function AccountMenu({ user, label }: { user: User; label: ReactNode }) {
  const navigate = useNavigate()
  const signOut = useSignOut(() => navigate(paths.home))
  const refused = (error: Error) =>
    toast({
      title: 'Sign out failed',
      description: messageOf(error, 'Please try again.'),
      variant: 'destructive',
    })
  return (
    <Menu name="My Account" title={user.firstName || user.username} label={label} defaultOpen>
      <MenuLink to={paths.transactions} icon={<ReceiptText aria-hidden="true" className={icon} />}>
        Transaction History
      </MenuLink>
      <MenuLink to={paths.profile} icon={<UserCog aria-hidden="true" className={icon} />}>
        Profile Settings
      </MenuLink>
      <MenuAction
        onSelect={() => signOut.mutate(undefined, { onError: refused })}
        disabled={signOut.isPending}
        icon={<LogOut aria-hidden="true" className={icon} />}
      >
        Sign Out
      </MenuAction>
    </Menu>
  )
}

/** Sign In and Sign Up on phones, where two buttons do not fit. */
export function SignInMenu({ label }: { label: ReactNode }) {
  return (
    <Menu name="Menu" label={label} defaultOpen>
      <MenuLink to={paths.login} icon={<LogIn aria-hidden="true" className={icon} />}>
        Sign In
      </MenuLink>
      <MenuLink to={paths.register} icon={<UserPlus aria-hidden="true" className={icon} />}>
        Sign Up
      </MenuLink>
    </Menu>
  )
}
