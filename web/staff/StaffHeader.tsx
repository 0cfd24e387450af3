import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { LogoMark } from '../layout/Logo.tsx'
import { paths } from '../paths.ts'
import { Link } from '../router/index.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Bell } from './notices/Bell.tsx'
import { useStaff } from './StaffArea.tsx'
import { StaffMenu } from './StaffMenu.tsx'
import { useStaffSignOut } from './session.ts'

/** Where one is, whether it is live, who one is, and the way out. `children` are the tabs, where there are some. */
export function StaffHeader({ title, children }: { title: string; children?: ReactNode }) {
  const { admin, live } = useStaff()
  const signOut = useStaffSignOut()
  return (
    <header className="grid shrink-0 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-line border-b bg-surface px-4 lg:grid-cols-[auto_minmax(0,1fr)_auto] lg:px-6">
      <Link to={paths.admin} className="flex min-h-14 min-w-0 items-center gap-2.5 rounded-sm">
        <LogoMark className="h-5 w-auto shrink-0 text-accent" />
        <h1 className="truncate font-semibold text-base">{title}</h1>
      </Link>
      <div className="col-span-2 row-start-2 min-w-0 lg:col-span-1 lg:col-start-2 lg:row-start-1">
        {children}
      </div>
      <div className="flex min-w-0 items-center justify-end gap-2 text-sm sm:gap-3 lg:col-start-3">
        <LiveIndicator live={live} />
        <Bell />
        <StaffMenu username={admin.username} />
        <span className="rounded-full bg-accent-quiet px-2.5 py-1 font-semibold text-accent text-xs">
          Admin
        </span>
        <Button
          variant="quiet"
          size="sm"
          loading={signOut.isPending}
          onClick={() => signOut.mutate()}
          icon={<LogOut aria-hidden="true" className="size-4" />}
        >
          <span className="max-sm:sr-only">Logout</span>
        </Button>
      </div>
    </header>
  )
}

function LiveIndicator({ live }: { live: boolean }) {
  return (
    <span
      role="status"
      title={live ? 'Changes show up by themselves' : 'Not connected: changes show up after reconnecting'}
      className={cx('flex items-center gap-2 font-medium', live ? 'text-positive' : 'text-caution')}
    >
      <span
        aria-hidden="true"
        className={cx('size-2 rounded-full', live ? 'bg-current' : 'border-2 border-current')}
      />
      {live ? 'Live' : 'Offline'}
    </span>
  )
}
