import { LayoutDashboard, MessagesSquare, ScrollText, ShieldCheck, Tags } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuLink } from '#web/kit/Menu.tsx'
import { paths } from '#web/words/paths.ts'

const links = [
  { to: paths.admin, name: 'Dashboard', Icon: LayoutDashboard },
  { to: paths.adminChat, name: 'Chat Management', Icon: MessagesSquare },
  { to: paths.adminBrands, name: 'Brands', Icon: Tags },
  { to: paths.adminAudit, name: 'Audit log', Icon: ScrollText },
  { to: paths.adminSecurity, name: 'Security', Icon: ShieldCheck },
] as const

/** The staff screens. */
export function StaffMenu(props: { name: string; title: string; label: ReactNode }) {
  return (
    <Menu {...props} defaultOpen>
      {links.map(({ to, name, Icon }) => (
        <MenuLink key={to} to={to} icon={<Icon className="size-5 text-soft" />}>
          {name}
        </MenuLink>
      ))}
    </Menu>
  )
}
