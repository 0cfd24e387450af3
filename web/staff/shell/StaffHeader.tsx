import { CircleUser, LogOut, Menu } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Administrator } from '#contract/administrators.ts'
import { roleTable } from '#domain/roles.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { MenuOnDemand } from '#web/kit/MenuOnDemand.tsx'
import type { LiveStatus } from '#web/wire/live.ts'
import './toasts.css'
import { Bell } from './notifications/Bell.tsx'
import { useStaffSignOut } from './session.ts'
import { useStaff } from './use-staff.ts'

const ScreensMenu = lazyComponent(() => import('./StaffMenus.tsx').then((module) => module.ScreensMenu))
const AccountMenu = lazyComponent(() => import('./StaffMenus.tsx').then((module) => module.AccountMenu))

/** The title, whether the screen is live, the account menu and Logout. `children` are the tabs, if any. */
export function StaffHeader({ title, children }: { title: string; children?: ReactNode }) {
  const { admin, status } = useStaff()
  const signOut = useStaffSignOut()
  return (
    <header
      data-staff
      className={`grid shrink-0 items-center gap-x-2 border-line sm:gap-x-3 border-b bg-surface px-4 lg:px-6 ${areas}`}
    >
      <div className="flex min-w-0 items-center gap-1 sm:gap-2 [grid-area:title] max-sm:pt-2 sm:min-h-14">
        {!admin.needsSecondFactor && <Screens />}
        {/* Receives focus when its screen opens. */}
        <h1 tabIndex={-1} className="truncate font-semibold text-base outline-none">
          {title}
        </h1>
      </div>
      <div className="min-w-0 [grid-area:nav]">{children}</div>
      <div className="flex items-center gap-3 text-sm [grid-area:status] max-sm:pb-1.5">
        {!admin.needsSecondFactor && <LiveIndicator status={status} />}
        <span className="whitespace-nowrap rounded-chip bg-accent-quiet px-2.5 py-1 font-semibold text-accent text-xs">
          <span>Admin</span> · <span>{roleTable[admin.role].name}</span>
        </span>
      </div>
      <div className="flex items-center justify-end gap-2 text-sm [grid-area:controls] max-sm:-mr-2 max-sm:gap-0 max-sm:pt-2">
        {!admin.needsSecondFactor && <Bell />}
        <Account admin={admin} />
        <Button
          variant="quiet"
          size="sm"
          loading={signOut.isPending}
          onClick={() => signOut.mutate()}
          icon={<LogOut />}
        >
          <span className="max-sm:sr-only">Logout</span>
        </Button>
      </div>
    </header>
  )
}

/** On a phone the title has its own line, and the status is below it. */
const areas = [
  "grid-cols-[minmax(0,1fr)_auto] [grid-template-areas:'title_controls'_'status_status'_'nav_nav']",
  "sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:[grid-template-areas:'title_status_controls'_'nav_nav_nav']",
  "lg:grid-cols-[auto_minmax(0,1fr)_auto_auto] lg:[grid-template-areas:'title_nav_status_controls']",
].join(' ')

function LiveIndicator({ status }: { status: LiveStatus }) {
  const live = status === 'live'
  // The first attempt says nothing about the network.
  const connecting = status === 'connecting'
  return (
    <span
      role="status"
      title={live ? 'Changes appear automatically' : 'Not connected. Changes appear after reconnecting.'}
      className={cx(
        'flex items-center gap-2 font-medium',
        live ? 'text-positive' : connecting ? 'text-soft' : 'text-caution',
      )}
    >
      <span
        aria-hidden="true"
        className={cx('size-2 rounded-full', live ? 'bg-current' : 'border-2 border-current')}
      />
      <span>{live ? 'Live' : connecting ? 'Connecting' : 'Offline'}</span>
      {status === 'reconnecting' && <span className="font-normal">Reconnecting</span>}
    </span>
  )
}

/** The screens as a menu, on windows that are too narrow for the bar. */
function Screens() {
  const menu = { name: 'Screens', label: <Menu className="size-5" /> }
  return (
    <div className="-ml-2 xl:hidden">
      <MenuOnDemand {...menu} prefetch={ScreensMenu.prefetch}>
        <ScreensMenu {...menu} align="start" />
      </MenuOnDemand>
    </div>
  )
}

function Account({ admin: { username, role } }: { admin: Administrator }) {
  const name = `Account menu of ${username}`
  const label = (
    <>
      <CircleUser className="size-5 sm:hidden" />
      <span className="max-w-40 truncate font-medium text-sm max-sm:hidden" title={username}>
        {username}
      </span>
    </>
  )
  return (
    <MenuOnDemand name={name} label={label} prefetch={AccountMenu.prefetch}>
      <AccountMenu
        name={name}
        title={
          <>
            {username}
            <span className="block font-normal text-soft text-sm">{roleTable[role].name}</span>
          </>
        }
        label={label}
      />
    </MenuOnDemand>
  )
}
