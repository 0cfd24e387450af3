import { CircleUser, LayoutDashboard, MessagesSquare, ScrollText, ShieldCheck, Tags } from 'lucide-react'
import { lazy } from 'react'
import { paths } from '../paths.ts'
import { MenuOnDemand } from '../ui/MenuOnDemand.tsx'

const places = [
  { to: paths.admin, name: 'Dashboard', Icon: LayoutDashboard },
  { to: paths.adminChat, name: 'Chat Management', Icon: MessagesSquare },
  { to: paths.adminBrands, name: 'Brands', Icon: Tags },
  { to: paths.adminAudit, name: 'Audit log', Icon: ScrollText },
  { to: paths.adminSecurity, name: 'Security', Icon: ShieldCheck },
] as const

const loadMenu = () => import('../ui/Menu.tsx')
const Menu = lazy(() => loadMenu().then((module) => ({ default: module.Menu })))
const MenuLink = lazy(() => loadMenu().then((module) => ({ default: module.MenuLink })))

/** Who is signed in, and the way to everything that is no tab of the dashboard. */
export function StaffMenu({ username }: { username: string }) {
  const name = `Account menu of ${username}`
  const label = (
    <>
      <CircleUser aria-hidden="true" className="size-5 sm:hidden" />
      <span className="max-w-40 truncate font-medium text-sm max-sm:hidden" title={username}>
        {username}
      </span>
    </>
  )
  return (
    <MenuOnDemand name={name} label={label} prefetch={loadMenu}>
      <Menu name={name} title={username} label={label} defaultOpen>
        {places.map(({ to, name, Icon }) => (
          <MenuLink key={to} to={to} icon={<Icon aria-hidden="true" className="size-5 text-soft" />}>
            {name}
          </MenuLink>
        ))}
      </Menu>
    </MenuOnDemand>
  )
}
