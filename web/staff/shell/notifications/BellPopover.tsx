import { Popover } from '@base-ui/react/popover'
import { CreditCard, Layers, MessageSquare, MessageSquareReply, UserCheck } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Link } from '#web/kit/router/index.ts'
import { RelativeTime } from '../RelativeTime.tsx'
import { useStaff } from '../use-staff.ts'
import { useSound } from './sound.ts'
import type { Notifications } from './use-notifications.ts'

/** The list behind the bell, with the bell as its button. It starts open. */
export function BellPopover(bell: ComponentProps<'button'>) {
  const { notifications } = useStaff()
  const [open, setOpen] = useState(true)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger {...bell} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={8} align="end" collisionPadding={8} className="z-40 outline-none">
          <Popover.Popup className="flex max-h-[min(36rem,var(--available-height))] w-96 max-w-[calc(100vw-1rem)] flex-col rounded-md border border-line bg-surface text-ink shadow-raised outline-none">
            <List notifications={notifications} onLeave={() => setOpen(false)} />
            <SoundSwitch />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function List({ notifications, onLeave }: { notifications: Notifications; onLeave: () => void }) {
  const { list, unread, loading, read, readAll } = notifications
  return (
    <>
      <header className="flex min-h-13 items-center justify-between gap-3 border-line border-b px-4 py-2">
        <Popover.Title className="font-semibold text-base">Notifications</Popover.Title>
        {unread > 0 && (
          <Button variant="quiet" size="sm" onClick={readAll}>
            Mark all as read
          </Button>
        )}
      </header>
      {list.length === 0 ? (
        <p className="px-4 py-8 text-center text-soft text-sm">
          {loading ? 'Loading...' : 'New submissions and messages appear here.'}
        </p>
      ) : (
        <ul aria-label="Notifications" className="min-h-0 divide-y divide-line overflow-y-auto">
          {list.map((notification) => (
            <Row
              key={notification.key}
              notification={notification}
              onOpen={() => {
                read(notification)
                onLeave()
              }}
            />
          ))}
        </ul>
      )}
    </>
  )
}

const kinds = {
  submission: { Icon: CreditCard, title: 'New Submission' },
  answer: { Icon: MessageSquareReply, title: 'Seller Answered' },
  message: { Icon: MessageSquare, title: 'New Chat Message' },
  assignment: { Icon: UserCheck, title: 'Assigned to You' },
  batch: { Icon: Layers, title: 'Batch to Release' },
} as const

interface RowProps {
  notification: Notifications['list'][number]
  onOpen: () => void
}

function Row({ notification, onOpen }: RowProps) {
  const { kind, from, text, at, to, unread, waiting = 0 } = notification
  const { Icon, title } = kinds[kind]
  return (
    <li>
      <Link
        to={to}
        onClick={onOpen}
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 px-4 py-3 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <Icon className={cx('mt-0.5 size-4', unread ? 'text-accent' : 'text-soft')} />
        <span className="grid min-w-0 gap-0.5">
          <span className={cx(unread ? 'font-semibold' : 'text-soft')}>
            {unread && <span className="sr-only">Unread: </span>}
            {waiting > 1 ? `${waiting} New Chat Messages` : title}
          </span>
          <span className={cx('line-clamp-2 wrap-anywhere', !unread && 'text-soft')}>
            <bdi className="font-medium">{from}</bdi>
            {text && (
              <>
                : <bdi>{text}</bdi>
              </>
            )}
          </span>
        </span>
        <span className="flex items-start gap-2 text-soft text-xs leading-5">
          <RelativeTime at={at} short />
          <span
            aria-hidden="true"
            className={cx('mt-1.5 size-2 rounded-full', unread ? 'bg-accent' : 'bg-transparent')}
          />
        </span>
      </Link>
    </li>
  )
}

function SoundSwitch() {
  const [on, switchTo] = useSound()
  const hint = useId()
  return (
    <div className="border-line border-t px-4 py-2">
      <label className="flex min-h-9 cursor-pointer items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => switchTo(event.currentTarget.checked)}
          aria-describedby={hint}
          className="size-4 accent-accent"
        />
        Play a sound
        <span id={hint} className="ml-auto text-soft text-xs">
          on this device
        </span>
      </label>
    </div>
  )
}
