import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { MessageCircle, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { routes } from '#contract/routes.ts'
import { read } from '../../api/read.ts'
import { IconButton } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { useMedia, WIDER_THAN_PHONE, WIDER_THAN_TABLET } from '../../ui/use-media.ts'
import { setChatOpen } from './announce-reply.ts'
import { Conversation } from './Conversation.tsx'
import { useSupportWriting } from './use-support-thread.ts'

/** Milliseconds between two looks for replies while nothing is pushed and the chat is closed. */
const POLL_UNREAD = 30_000
/** Where the button stands unless there is room beside the page: in the top bar, so that it covers nothing. */
const SUPPORT_SLOT = 'support-chat'

/** The chat with support: beside the page on wide screens, which can be used meanwhile; a sheet over it on phones. */
export function SupportChat({ connected }: { connected: boolean }) {
  const [open, setOpen] = useState(false)
  const wide = useMedia(WIDER_THAN_PHONE)
  const roomy = useMedia(WIDER_THAN_TABLET)
  const writing = useSupportWriting()
  const unread = useUnread({ connected, open })
  useEffect(() => {
    setChatOpen(open)
    return () => setChatOpen(false)
  }, [open])
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} modal={!wide} disablePointerDismissal={wide}>
      <Place floating={roomy}>
        <Dialog.Trigger
          className={cx(
            'inline-flex items-center justify-center gap-2 rounded-md font-semibold transition-colors',
            roomy
              ? 'fixed right-6 bottom-6 z-20 min-h-12 rounded-full bg-accent px-5 text-on-accent shadow-raised hover:bg-accent-strong'
              : 'relative size-11 hover:bg-sunken',
          )}
        >
          <MessageCircle aria-hidden="true" className="size-5" />
          <span className={cx(!roomy && 'sr-only')}>Support chat</span>
          {unread > 0 && <Unread count={unread} />}
        </Dialog.Trigger>
      </Place>
      <Dialog.Portal>
        {!wide && <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />}
        <Dialog.Popup className="fixed inset-x-0 bottom-0 z-40 flex h-[92dvh] flex-col overflow-hidden rounded-t-lg border-line bg-surface shadow-raised outline-none transition-all data-ending-style:translate-y-3 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0 md:inset-x-auto md:right-6 md:bottom-6 md:h-[min(38rem,calc(100dvh-8rem))] md:w-96 md:rounded-lg md:border">
          <header className="flex items-center justify-between gap-2 border-line border-b py-1.5 pr-1.5 pl-4">
            <Dialog.Title className="font-semibold text-lg">Support chat</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton label="Close">
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              }
            />
          </header>
          <Conversation connected={connected} writing={writing} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useUnread({ connected, open }: { connected: boolean; open: boolean }): number {
  const { data } = useQuery({
    ...read(routes.myUnread, {}),
    refetchInterval: connected ? false : POLL_UNREAD,
  })
  return open ? 0 : (data?.unreadCount ?? 0)
}

function Place({ floating, children }: { floating: boolean; children: ReactNode }) {
  const slot = floating ? null : document.getElementById(SUPPORT_SLOT)
  return slot ? createPortal(children, slot) : children
}

function Unread({ count }: { count: number }) {
  return (
    <>
      <span className="figures absolute -top-1 -right-1 grid h-5 min-w-5 place-items-center rounded-full bg-negative-strong px-1 text-on-negative text-xs max-lg:top-0.5 max-lg:right-0.5">
        {count > 99 ? '99+' : count}
      </span>
      <span className="sr-only">unread</span>
    </>
  )
}
