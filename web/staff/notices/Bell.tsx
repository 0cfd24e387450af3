import { Popover } from '@base-ui/react/popover'
import { Bell as BellIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useStaff } from '../StaffArea.tsx'

const BellList = lazy(() => import('./BellList.tsx').then((module) => ({ default: module.BellList })))

/** What happened since one last looked: how much of it is new, and the list. */
export function Bell() {
  const { notices } = useStaff()
  const [open, setOpen] = useState(false)
  const { unread } = notices
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={unread > 0 ? `Notices, ${unread} unread` : 'Notices'}
        title="Notices"
        className="relative inline-grid size-11 shrink-0 place-items-center rounded-md hover:bg-sunken md:size-9"
      >
        <BellIcon aria-hidden="true" className="size-5" />
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="figures absolute top-0.5 right-0 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1 font-semibold text-on-accent text-xs leading-none md:-top-1 md:-right-1"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} align="end" collisionPadding={8} className="z-40 outline-none">
          <Popover.Popup className="flex max-h-[min(36rem,var(--available-height))] w-96 max-w-[calc(100vw-1rem)] flex-col rounded-md border border-line bg-surface text-ink shadow-raised outline-none">
            <Suspense>
              <BellList notices={notices} onLeave={() => setOpen(false)} />
            </Suspense>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
