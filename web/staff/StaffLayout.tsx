import { Outlet } from '#web/kit/router/index.ts'
import { useAlwaysDark } from '#web/kit/theme.ts'

/** The staff's area is dark whatever was chosen, without the site's top bar and footer. */
export default function StaffLayout() {
  useAlwaysDark()
  return <Outlet />
}
