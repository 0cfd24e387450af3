import { LogIn, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuLink } from '#web/kit/Menu.tsx'
import { paths } from '#web/words/paths.ts'

/** Sign In and Sign Up on a phone, where two buttons don't fit beside the rest. */
export function SignInMenu({ label }: { label: ReactNode }) {
  return (
    <Menu name="Menu" label={label} defaultOpen>
      <MenuLink to={paths.login} icon={<LogIn aria-hidden="true" className="size-5 text-soft" />}>
        Sign In
      </MenuLink>
      <MenuLink to={paths.register} icon={<UserPlus aria-hidden="true" className="size-5 text-soft" />}>
        Sign Up
      </MenuLink>
    </Menu>
  )
}
