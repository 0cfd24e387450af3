import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Administrator } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { TitleCount } from '#web/kit/PageTitle.tsx'
import { Navigate, Outlet, useLocation, useOutletContext } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { isUnattended, watchAttention } from '#web/wire/attention.ts'
import { refresh } from '#web/wire/read.ts'
import { Unreachable } from '#web/wire/Unreachable.tsx'
import { paths } from '#web/words/paths.ts'
import { type Notices, useNotices } from './notices/use-notices.ts'
import { rememberSession, useStaffSession, useStaffSessionCheck } from './session.ts'
import { useStaffLive } from './use-staff-live.ts'

interface Staff {
  admin: Administrator
  /** Whether the live channel is open. */
  live: boolean
  /** Whether it was lost and is being opened again. */
  reconnecting: boolean
  notices: Notices
}

/** What every screen below it knows about whoever is signed in. */
export function useStaff(): Staff {
  return useOutletContext<Staff>()
}

/** The door: screens below it are for signed-in administrators. */
export default function StaffArea() {
  const session = useStaffSession()
  const { pathname, search } = useLocation()
  if (session.status === 'loading') return <Waiting>Loading your session...</Waiting>
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signed-out') {
    // The address is kept, so that a view somebody was sent a link to opens after signing in.
    return <Navigate to={paths.adminLogin} replace state={{ from: pathname + search }} />
  }
  return <SignedIn admin={session.user} />
}

/** Often enough for the shortest idle time that is sensible. */
const KEEP_MS = 4 * 60_000

/** Reading and typing make no calls, so this one keeps the session of a person who uses the page. */
function useKeptSession(): void {
  const client = useQueryClient()
  useEffect(() => {
    watchAttention()
    const timer = setInterval(() => {
      if (!isUnattended()) void refresh(client, routes.adminMe)
    }, KEEP_MS)
    return () => clearInterval(timer)
  }, [client])
}

function SignedIn({ admin }: { admin: Administrator }) {
  useEffect(rememberSession, [])
  const status = useStaffLive()
  const live = status === 'live'
  useStaffSessionCheck(live)
  useKeptSession()
  const notices = useNotices({ adminId: admin.id, live })
  return (
    <TitleCount value={notices.unread}>
      <Outlet context={{ admin, live, reconnecting: status === 'reconnecting', notices } satisfies Staff} />
    </TitleCount>
  )
}
