import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import { BellFace, bellProps } from './BellFace.tsx'
import { BellList } from './BellList.tsx'
import type { Notices } from './use-notices.ts'

/** Takes the place of the bell's button once that was pressed, open. */
export function BellPopover({ notices }: { notices: Notices }) {
  const [open, setOpen] = useState(true)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger {...bellProps(notices.unread)}>
        <BellFace unread={notices.unread} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} align="end" collisionPadding={8} className="z-40 outline-none">
          <Popover.Popup className="flex max-h-[min(36rem,var(--available-height))] w-96 max-w-[calc(100vw-1rem)] flex-col rounded-md border border-line bg-surface text-ink shadow-raised outline-none">
            <BellList notices={notices} onLeave={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
