import { useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Administrator } from '#contract/administrators.ts'
import { routes } from '#contract/routes.ts'
import { screenList } from '#contract/screens.ts'
import { may, roleTable } from '#domain/roles.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { TitleCount } from '#web/kit/PageTitle.tsx'
import { Navigate, Outlet, useLocation } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { SkipLink } from '#web/kit/SkipLink.tsx'
import { isUnattended, watchAttention } from '#web/wire/attention.ts'
import { useSessionCheck } from '#web/wire/live.ts'
import { refresh } from '#web/wire/read.ts'
import { Unreachable } from '#web/wire/Unreachable.tsx'
import { paths } from '#web/words/paths.ts'
import { EarlyKeys } from './keys/early-keys.tsx'
import { useNotifications } from './notifications/use-notifications.ts'
import { StaffHeader } from './StaffHeader.tsx'
import { StaffNav } from './StaffNav.tsx'
import { StaffScreen } from './StaffScreen.tsx'
import { rememberSession, useStaffSession } from './session.ts'
import { StaffContext, useStaff } from './use-staff.ts'
import { useStaffLive } from './use-staff-live.ts'

/** The screens inside are for signed-in administrators. */
export default function StaffArea() {
  const session = useStaffSession()
  const { pathname, search } = useLocation()
  if (session.status === 'loading') return <Waiting>Loading your session...</Waiting>
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signed-out') {
    // Keeps the address, so that a link a colleague sent opens after signing in.
    return <Navigate to={paths.adminLogin} replace state={{ from: pathname + search }} />
  }
  if (session.user.needsSecondFactor && pathname !== paths.adminSecurity) {
    return <Navigate to={paths.adminSecurity} replace />
  }
  return <SignedIn admin={session.user} />
}

function SignedIn({ admin }: { admin: Administrator }) {
  useEffect(rememberSession, [])
  useKeepAlive()
  useFocusOnHeading()
  const { pathname } = useLocation()
  const status = useStaffLive(admin.id, !admin.needsSecondFactor)
  const live = status === 'live'
  useSessionCheck(live, routes.adminMe)
  const notifications = useNotifications({ admin, live })
  return (
    <TitleCount value={notifications.unread}>
      <StaffContext value={{ admin, status, notifications }}>
        <SkipLink />
        <div className="flex">
          {!admin.needsSecondFactor && <StaffNav />}
          <div className="min-w-0 flex-1">
            <ErrorBoundary
              heading="h2"
              // Shows the header even if the screen fails.
              frame={(message) => (
                <div className="flex min-h-dvh flex-col">
                  <StaffHeader title="Admin" />
                  <main id="content" tabIndex={-1} className="outline-none">
                    {message}
                  </main>
                </div>
              )}
            >
              {mayOpen(admin, pathname) ? <Outlet /> : <NotPermitted />}
            </ErrorBoundary>
          </div>
        </div>
        <EarlyKeys />
      </StaffContext>
    </TitleCount>
  )
}

/** Whether the role may use the screen. */
function mayOpen({ role }: Administrator, pathname: string): boolean {
  const screen = screenList.find(({ path }) => path === pathname)
  return may(role, screen?.capability ?? 'use_account')
}

function NotPermitted() {
  const { role } = useStaff().admin
  return (
    <StaffScreen title="Not permitted" intro="">
      <EmptyState icon={<Lock />} title="Your role does not include this screen">
        You are {roleTable[role].withArticle}. An owner can change your role.
      </EmptyState>
    </StaffScreen>
  )
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

/** After navigation, screen readers and Tab continue at the new heading. */
function useFocusOnHeading(): void {
  const { pathname, action } = useLocation()
  // The first screen of a visit starts at the top; the one after signing in counts as navigation.
  const shown = useRef(action === 'pop' ? pathname : undefined)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [pathname])
}
