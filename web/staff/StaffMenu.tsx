import {
  Banknote,
  Boxes,
  ChartColumn,
  LayoutDashboard,
  MessagesSquare,
  ScrollText,
  ShieldCheck,
  Tags,
  UsersRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { type ScreenName, screens } from '#contract/screens.ts'
import { may } from '#domain/roles.ts'
import { Menu, MenuLink } from '#web/kit/Menu.tsx'
import { useStaff } from './use-staff.ts'

const links = [
  { screen: 'admin', name: 'Dashboard', Icon: LayoutDashboard },
  { screen: 'adminChat', name: 'Chat Management', Icon: MessagesSquare },
  { screen: 'adminPayouts', name: 'Payouts', Icon: Banknote },
  { screen: 'adminInventory', name: 'Inventory', Icon: Boxes },
  { screen: 'adminBrands', name: 'Brands', Icon: Tags },
  { screen: 'adminReports', name: 'Reports', Icon: ChartColumn },
  { screen: 'adminAudit', name: 'Audit log', Icon: ScrollText },
  { screen: 'adminStaff', name: 'Staff', Icon: UsersRound },
  { screen: 'adminSecurity', name: 'Security', Icon: ShieldCheck },
] as const satisfies readonly { screen: ScreenName; name: string; Icon: unknown }[]

/** The staff screens that the role includes. */
export function StaffMenu(props: { name: string; title: ReactNode; label: ReactNode }) {
  const { role, needsSecondFactor } = useStaff().admin
  const shown = links.filter(({ screen }) =>
    needsSecondFactor ? screen === 'adminSecurity' : may(role, screens[screen].capability),
  )
  return (
    <Menu {...props} defaultOpen>
      {shown.map(({ screen, name, Icon }) => (
        <MenuLink key={screen} to={screens[screen].path} icon={<Icon className="size-5 text-soft" />}>
          {name}
        </MenuLink>
      ))}
    </Menu>
  )
}
