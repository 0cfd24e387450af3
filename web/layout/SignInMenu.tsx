import { LogIn, Menu as MenuIcon, UserPlus } from 'lucide-react'
import { paths } from '../paths.ts'
import { Menu, MenuLink } from '../ui/Menu.tsx'

/** Sign In and Sign Up on a phone, where two buttons don't fit beside the rest. */
export function SignInMenu() {
  return (
    <Menu name="Menu" label={<MenuIcon aria-hidden="true" className="size-5" />}>
      <MenuLink to={paths.login} icon={<LogIn aria-hidden="true" className="size-5 text-soft" />}>
        Sign In
      </MenuLink>
      <MenuLink to={paths.register} icon={<UserPlus aria-hidden="true" className="size-5 text-soft" />}>
        Sign Up
      </MenuLink>
    </Menu>
  )
}
