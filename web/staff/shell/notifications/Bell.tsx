import { Bell as BellIcon } from 'lucide-react'
import { type ComponentProps, Suspense, useState } from 'react'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { useStaff } from '../use-staff.ts'

const BellPopover = lazyComponent(() => import('./BellPopover.tsx').then((module) => module.BellPopover))

/** How many notifications are unread, and behind it their list, which is fetched on hover or focus. */
export function Bell() {
  const { unread } = useStaff().notifications
  const [wanted, setWanted] = useState(false)
  const bell: ComponentProps<'button'> = {
    'aria-label': unread > 0 ? `Notifications, ${unread} unread` : 'Notifications',
    title: 'Notifications',
    className:
      'relative inline-grid size-11 shrink-0 place-items-center rounded-md hover:bg-sunken md:size-9',
    children: (
      <>
        <BellIcon className="size-5" />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="figures absolute top-0.5 right-0 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1 font-semibold text-on-accent text-xs leading-none md:-top-1 md:-right-1"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </>
    ),
  }
  const button = (
    <button
      type="button"
      {...bell}
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-busy={wanted || undefined}
      onPointerEnter={BellPopover.prefetch}
      onFocus={BellPopover.prefetch}
      onClick={() => setWanted(true)}
    />
  )
  return wanted ? (
    <Suspense fallback={button}>
      <BellPopover {...bell} />
    </Suspense>
  ) : (
    button
  )
}
