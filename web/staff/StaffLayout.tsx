import { Outlet } from '../router/index.ts'
import { useAlwaysDark } from '../ui/theme.ts'

/** The staff's area is dark whatever was chosen, without the site's top bar and footer. */
export default function StaffLayout() {
  useAlwaysDark()
  return <Outlet />
}
