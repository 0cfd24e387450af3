import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Administrator } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { TitleCount } from '#web/kit/PageTitle.tsx'
import { Navigate, Outlet, useLocation } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { isUnattended, watchAttention } from '#web/wire/attention.ts'
import { useSessionCheck } from '#web/wire/live.ts'
import { refresh } from '#web/wire/read.ts'
import { Unreachable } from '#web/wire/Unreachable.tsx'
import { paths } from '#web/words/paths.ts'
import { useNotifications } from './notifications/use-notifications.ts'
import { rememberSession, useStaffSession } from './session.ts'
import type { Staff } from './use-staff.ts'
import { useStaffLive } from './use-staff-live.ts'

/** The screens below it are for signed-in administrators. */
export default function StaffArea() {
  const session = useStaffSession()
  const { pathname, search } = useLocation()
  if (session.status === 'loading') return <Waiting>Loading your session...</Waiting>
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signed-out') {
    // Keeps the address, so that a link a colleague sent opens after signing in.
    return <Navigate to={paths.adminLogin} replace state={{ from: pathname + search }} />
  }
  return <SignedIn admin={session.user} />
}

/** Less than the shortest sensible idle timeout. */
const KEEP_ALIVE_MS = 4 * 60_000

/** Reading and typing make no calls, so this one keeps the session alive while the page is in use. */
function useKeepAlive(): void {
  const client = useQueryClient()
  useEffect(() => {
    watchAttention()
    const timer = setInterval(() => {
      if (!isUnattended()) void refresh(client, routes.adminMe)
    }, KEEP_ALIVE_MS)
    return () => clearInterval(timer)
  }, [client])
}

function SignedIn({ admin }: { admin: Administrator }) {
  useEffect(rememberSession, [])
  const status = useStaffLive()
  const live = status === 'live'
  useSessionCheck(live, routes.adminMe)
  useKeepAlive()
  const notifications = useNotifications({ adminId: admin.id, live })
  return (
    <TitleCount value={notifications.unread}>
      <Outlet
        context={{ admin, live, reconnecting: status === 'reconnecting', notifications } satisfies Staff}
      />
    </TitleCount>
  )
}
