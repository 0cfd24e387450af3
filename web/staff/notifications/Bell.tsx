import { Popover } from '@base-ui/react/popover'
import { Bell as BellIcon, CreditCard, MessageSquare, MessageSquareReply } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Link } from '#web/kit/router/index.ts'
import { RelativeTime, useNow } from '../RelativeTime.tsx'
import { useStaff } from '../use-staff.ts'
import { useSound } from './sound.ts'
import type { Notifications } from './use-notifications.ts'

/** How many notifications are unread, and behind it their list. */
export function Bell() {
  const { notifications } = useStaff()
  const [open, setOpen] = useState(false)
  const { unread } = notifications
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        title="Notifications"
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
  const now = useNow(60_000)
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
              now={now}
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
} as const

interface RowProps {
  notification: Notifications['list'][number]
  now: number
  onOpen: () => void
}

function Row({ notification, now, onOpen }: RowProps) {
  const { kind, from, text, at, to, unread, waiting = 0 } = notification
  const { Icon, title } = kinds[kind]
  return (
    <li>
      <Link
        to={to}
        onClick={onOpen}
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 px-4 py-3 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <Icon aria-hidden="true" className={cx('mt-0.5 size-4', unread ? 'text-accent' : 'text-soft')} />
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
          <RelativeTime at={at} now={now} short />
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
