import { LayoutDashboard, MessagesSquare, ScrollText, ShieldCheck, Tags } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuLink } from '#web/kit/Menu.tsx'
import { paths } from '#web/words/paths.ts'

const places = [
  { to: paths.admin, name: 'Dashboard', Icon: LayoutDashboard },
  { to: paths.adminChat, name: 'Chat Management', Icon: MessagesSquare },
  { to: paths.adminBrands, name: 'Brands', Icon: Tags },
  { to: paths.adminAudit, name: 'Audit log', Icon: ScrollText },
  { to: paths.adminSecurity, name: 'Security', Icon: ShieldCheck },
] as const

interface StaffPlacesProps {
  /** The button's name, and what it shows. */
  name: string
  label: ReactNode
  username: string
}

/** The way to everything that is no tab of the dashboard. */
export function StaffPlaces({ name, label, username }: StaffPlacesProps) {
  return (
    <Menu name={name} title={username} label={label} defaultOpen>
      {places.map(({ to, name, Icon }) => (
        <MenuLink key={to} to={to} icon={<Icon aria-hidden="true" className="size-5 text-soft" />}>
          {name}
        </MenuLink>
      ))}
    </Menu>
  )
}
