import { useMutation } from '@tanstack/react-query'
import { LogIn, LogOut, ReceiptText, UserCog, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Menu, MenuAction, MenuLink } from '#web/kit/Menu.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useSetSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'

const icon = 'size-5 text-soft'

export function AccountMenu({ user, label }: { user: User; label: ReactNode }) {
  const signOut = useSignOut()
  return (
    <Menu name="My Account" title={user.firstName || user.username} label={label} defaultOpen>
      <MenuLink to={paths.transactions} icon={<ReceiptText aria-hidden="true" className={icon} />}>
        Transaction History
      </MenuLink>
      <MenuLink to={paths.profile} icon={<UserCog aria-hidden="true" className={icon} />}>
        Profile Settings
      </MenuLink>
      <MenuAction
        onSelect={() => signOut.mutate()}
        disabled={signOut.isPending}
        icon={<LogOut aria-hidden="true" className={icon} />}
      >
        Sign Out
      </MenuAction>
    </Menu>
  )
}

function useSignOut() {
  const navigate = useNavigate()
  const setSession = useSetSession()
  return useMutation({
    mutationFn: () => call(routes.logout, {}),
    onSuccess: async () => {
      // Goes to a page that needs no session first, so that no screen asks to sign in again.
      await navigate(paths.home)
      setSession(null)
    },
    onError: (error) =>
      toast({
        title: 'Sign out failed',
        description: messageOf(error, 'Please try again.'),
        variant: 'destructive',
      }),
  })
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
