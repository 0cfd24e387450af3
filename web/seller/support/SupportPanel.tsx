import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { RefObject } from 'react'
import { IconButton } from '#web/kit/Button.tsx'
import { useMedia, WIDER_THAN_PHONE } from '#web/kit/media.ts'
import { Conversation } from './Conversation.tsx'
import { useSupportWriting } from './use-support-thread.ts'

interface SupportPanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What opened it; gets the focus back. */
  button: RefObject<HTMLButtonElement | null>
  connected: boolean
}

/** The chat with support: beside the page on wide screens, which can be used meanwhile; a sheet over it on phones. */
export function SupportPanel({ open, onOpenChange, button, connected }: SupportPanelProps) {
  const writing = useSupportWriting()
  const wide = useMedia(WIDER_THAN_PHONE)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange} modal={!wide} disablePointerDismissal={wide}>
      <Dialog.Portal>
        {!wide && <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />}
        <Dialog.Popup
          finalFocus={button}
          data-floating="panel"
          className="fixed inset-x-0 bottom-0 z-40 flex h-[92dvh] flex-col overflow-hidden rounded-t-lg border-line bg-surface shadow-raised outline-none transition-all data-ending-style:translate-y-3 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0 md:inset-x-auto md:right-4 md:bottom-6 md:h-[min(38rem,calc(100dvh-8rem))] md:w-96 md:rounded-lg md:border"
        >
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
