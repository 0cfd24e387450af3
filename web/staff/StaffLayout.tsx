import { Outlet } from '#web/kit/router/index.ts'
import { useAlwaysDark } from '#web/kit/theme.ts'

/** The staff area is always dark and has no top bar or footer. */
export default function StaffLayout() {
  useAlwaysDark()
  return <Outlet />
}
