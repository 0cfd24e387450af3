import { Bell } from 'lucide-react'

/** The bell's button, whether its list is there already or not. */
export function bellProps(unread: number) {
  return {
    'aria-label': unread > 0 ? `Notices, ${unread} unread` : 'Notices',
    title: 'Notices',
    className:
      'relative inline-grid size-11 shrink-0 place-items-center rounded-md hover:bg-sunken md:size-9',
  }
}

export function BellFace({ unread }: { unread: number }) {
  return (
    <>
      <Bell aria-hidden="true" className="size-5" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="figures absolute top-0.5 right-0 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1 font-semibold text-on-accent text-xs leading-none md:-top-1 md:-right-1"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </>
  )
}
