import { CircleUser, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Administrator } from '#contract/administrators.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { LogoMark } from '#web/kit/Logo.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { MenuOnDemand } from '#web/kit/MenuOnDemand.tsx'
import { Link } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import './toasts.css'
import { Bell } from './notifications/Bell.tsx'
import { roleWords } from './role-words.ts'
import { useStaffSignOut } from './session.ts'
import { useStaff } from './use-staff.ts'

const StaffMenu = lazyComponent(() => import('./StaffMenu.tsx').then((module) => module.StaffMenu))

/** The title, whether the screen is live, the account menu and Logout. `children` are the tabs, if any. */
export function StaffHeader({ title, children }: { title: string; children?: ReactNode }) {
  const { admin, live, reconnecting } = useStaff()
  const signOut = useStaffSignOut()
  return (
    <header
      data-staff
      className={`grid shrink-0 items-center gap-x-3 border-line border-b bg-surface px-4 lg:px-6 ${areas}`}
    >
      {/* Takes the focus when its screen is opened. */}
      <h1
        tabIndex={-1}
        className="grid min-w-0 font-semibold text-base outline-none [grid-area:title] max-sm:pt-2"
      >
        <Link to={paths.admin} className="flex min-w-0 items-center gap-2.5 rounded-sm sm:min-h-14">
          <LogoMark className="h-5 w-auto shrink-0 text-accent" />
          <span className="truncate">{title}</span>
        </Link>
      </h1>
      <div className="min-w-0 [grid-area:nav]">{children}</div>
      <div className="flex items-center gap-3 text-sm [grid-area:status] max-sm:pb-1.5">
        {!admin.needsSecondFactor && <LiveIndicator live={live} reconnecting={reconnecting} />}
        <span className="rounded-full bg-accent-quiet px-2.5 py-1 font-semibold text-accent text-xs">
          Admin
        </span>
      </div>
      <div className="flex items-center justify-end gap-2 text-sm [grid-area:controls]">
        {!admin.needsSecondFactor && <Bell />}
        <AccountMenu admin={admin} />
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
  "grid-cols-[minmax(0,1fr)_auto] [grid-template-areas:'title_controls'_'status_controls'_'nav_nav']",
  "sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:[grid-template-areas:'title_status_controls'_'nav_nav_nav']",
  "lg:grid-cols-[auto_minmax(0,1fr)_auto_auto] lg:[grid-template-areas:'title_nav_status_controls']",
].join(' ')

function LiveIndicator({ live, reconnecting }: { live: boolean; reconnecting: boolean }) {
  return (
    <span
      role="status"
      title={live ? 'Changes appear automatically' : 'Not connected. Changes appear after reconnecting.'}
      className={cx('flex items-center gap-2 font-medium', live ? 'text-positive' : 'text-caution')}
    >
      <span
        aria-hidden="true"
        className={cx('size-2 rounded-full', live ? 'bg-current' : 'border-2 border-current')}
      />
      <span>{live ? 'Live' : 'Offline'}</span>
      {reconnecting && <span className="font-normal">Reconnecting</span>}
    </span>
  )
}

function AccountMenu({ admin: { username, role } }: { admin: Administrator }) {
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
    <MenuOnDemand name={name} label={label} prefetch={StaffMenu.prefetch}>
      <StaffMenu
        name={name}
        title={
          <>
            {username}
            <span className="block font-normal text-soft text-sm">{roleWords[role].name}</span>
          </>
        }
        label={label}
      />
    </MenuOnDemand>
  )
}
