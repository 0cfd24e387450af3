import { ShieldCheck } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Menu, MenuLink } from '#web/kit/Menu.tsx'
import { paths } from '#web/words/paths.ts'
import { NavCount, useStaffLinks } from './StaffNav.tsx'

type MenuProps = Omit<ComponentProps<typeof Menu>, 'children'>

/** The screens of the role, on windows without the bar beside the screen. */
export function ScreensMenu(props: MenuProps) {
  return (
    <Menu {...props} defaultOpen>
      {useStaffLinks().map(({ path, name, Icon, isCurrent, count }) => (
        <MenuLink key={path} to={path} isCurrent={isCurrent} icon={<Icon className="size-5 text-soft" />}>
          <span className="grow">{name}</span>
          <NavCount count={count} />
        </MenuLink>
      ))}
    </Menu>
  )
}

/** Links for the administrator's own account. */
export function AccountMenu(props: MenuProps) {
  return (
    <Menu {...props} defaultOpen>
      <MenuLink to={paths.adminSecurity} icon={<ShieldCheck className="size-5 text-soft" />}>
        Security
      </MenuLink>
    </Menu>
  )
}
