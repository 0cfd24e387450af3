import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  Banknote,
  Boxes,
  ChartColumn,
  KeyRound,
  LayoutDashboard,
  Lock,
  MessagesSquare,
  ScrollText,
  Star,
  Tags,
  UsersRound,
  Webhook,
  Zap,
} from 'lucide-react'
import { routes } from '#contract/routes.ts'
import { type ScreenName, screens } from '#contract/screens.ts'
import { may } from '#domain/roles.ts'
import { cx } from '#web/kit/cx.ts'
import { LogoMark } from '#web/kit/Logo.tsx'
import { Link, useLocation } from '#web/kit/router/index.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { useIdle } from './use-idle.ts'
import { useStaff } from './use-staff.ts'

/** In three groups: work, money and settings. */
const links = [
  { screen: 'admin', name: 'Dashboard', Icon: LayoutDashboard, counted: 'to review' },
  { screen: 'adminChat', name: 'Chat', Icon: MessagesSquare, counted: 'waiting for a reply' },
  { screen: 'adminHolds', name: 'Legal holds', Icon: Lock },
  { screen: 'adminReviews', name: 'Reviews', Icon: Star },
  { screen: 'adminPayouts', name: 'Payouts', Icon: Banknote, counted: 'due', startsGroup: true },
  { screen: 'adminInventory', name: 'Inventory', Icon: Boxes },
  { screen: 'adminReports', name: 'Reports', Icon: ChartColumn },
  { screen: 'adminBrands', name: 'Brands', Icon: Tags, startsGroup: true },
  { screen: 'adminPolicies', name: 'Policies', Icon: Zap },
  { screen: 'adminAudit', name: 'Audit log', Icon: ScrollText },
  { screen: 'adminStaff', name: 'Staff', Icon: UsersRound },
  { screen: 'adminSystem', name: 'System', Icon: Activity },
  { screen: 'adminTokens', name: 'API tokens', Icon: KeyRound },
  { screen: 'adminWebhooks', name: 'Webhooks', Icon: Webhook },
] as const satisfies readonly {
  screen: ScreenName
  name: string
  Icon: unknown
  counted?: string
  startsGroup?: true
}[]

/** The screens that the role includes, on wide windows. On others they are in the menu of the header. */
export function StaffNav() {
  const shown = useStaffLinks()
  return (
    <div className="hidden shrink-0 border-line border-r bg-surface xl:block">
      <nav
        aria-label="Screens"
        className="sticky top-0 flex h-dvh w-22 flex-col gap-0.5 overflow-y-auto p-1.5"
      >
        <LogoMark className="mx-auto my-3.5 h-5 w-auto shrink-0 text-accent" />
        {shown.map(({ path, name, Icon, isCurrent, count, startsGroup }) => (
          <Link
            key={path}
            to={path}
            aria-current={isCurrent ? 'page' : undefined}
            className={cx(
              'relative grid shrink-0 justify-items-center gap-0.5 rounded-md py-1 [@media(height<54rem)]:py-px font-medium text-xs focus-visible:-outline-offset-2',
              startsGroup &&
                'mt-2.5 before:absolute before:inset-x-1 before:-top-1.5 before:border-line before:border-t',
              isCurrent ? 'bg-accent-quiet text-accent' : 'text-soft hover:bg-sunken hover:text-ink',
            )}
          >
            <Icon className="size-5" />
            {name}
            <NavCount count={count} className="absolute top-1 right-0.5" />
          </Link>
        ))}
      </nav>
    </div>
  )
}

/** The screens that the role includes, some with a count of what waits there. */
export function useStaffLinks() {
  const { role } = useStaff().admin
  const { pathname, search } = useLocation()
  const counts = useCounts()
  return links
    .filter(({ screen }) => may(role, screens[screen].capability))
    .map(({ screen, ...link }) => {
      const { path } = screens[screen]
      const count = 'counted' in link && counts[link.counted]
      return {
        path,
        ...link,
        isCurrent: path === placeOf(pathname, search),
        startsGroup: 'startsGroup' in link,
        count: count && 'counted' in link ? { count, of: link.counted } : undefined,
      }
    })
}

/** Sellers are found on the dashboard, whose tab Chat belongs to the chat. */
function placeOf(pathname: string, search: string): string {
  if (pathname === paths.adminSeller) return paths.admin
  const isChatTab = pathname === paths.admin && new URLSearchParams(search).get('tab') === 'chat'
  return isChatTab ? paths.adminChat : pathname
}

/** Undefined until they are known. */
function useCounts() {
  const { role } = useStaff().admin
  // The screen's own requests go first.
  const idle = useIdle()
  const queue = useQuery({ ...read(routes.queue, {}), enabled: idle })
  const chats = useQuery({ ...read(routes.chatCounts, {}), enabled: idle && may(role, 'chat') })
  const due = useQuery({ ...read(routes.duePayouts, {}), enabled: idle && may(role, 'see_payouts') })
  return {
    'to review': queue.data?.review,
    'waiting for a reply': chats.data?.waiting,
    due: due.data?.reduce((sum, { count }) => sum + count, 0),
  }
}

type Count = ReturnType<typeof useStaffLinks>[number]['count']

export function NavCount({ count, className }: { count: Count; className?: string }) {
  if (!count) return null
  return (
    <span
      className={cx(
        'figures grid h-4.5 min-w-4.5 place-items-center rounded-full border border-control bg-sunken px-1 font-semibold text-ink text-xs leading-none',
        className,
      )}
    >
      <span className="sr-only">, </span>
      {count.count > 99 ? '99+' : count.count}
      <span className="sr-only"> {count.of}</span>
    </span>
  )
}
