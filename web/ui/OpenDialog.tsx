import { Dialog as Primitive } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** The buttons: on a phone below each other, the last one on top. */
  actions?: ReactNode
  wide?: boolean
  children?: ReactNode
}

/** A modal dialog: centred on wide screens, a sheet at the lower edge of a phone. */
export function OpenDialog({ open, onOpenChange, title, description, actions, wide, children }: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Primitive.Viewport className="fixed inset-0 z-40 grid items-end overflow-y-auto md:place-items-center md:p-8">
          <Primitive.Popup
            data-floating="sheet"
            className={`relative flex max-h-[92dvh] w-full flex-col gap-4 overflow-y-auto rounded-t-lg bg-surface p-5 shadow-raised outline-none transition-all data-ending-style:translate-y-3 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0 md:rounded-lg md:p-7 ${wide ? 'md:max-w-3xl' : 'md:max-w-lg'}`}
          >
            <header className="grid grid-cols-1 gap-1 pr-11">
              <Primitive.Title className="font-semibold text-xl">{title}</Primitive.Title>
              {description && (
                <Primitive.Description className="wrap-anywhere text-soft">
                  {description}
                </Primitive.Description>
              )}
            </header>
            <Primitive.Close
              render={
                <IconButton label="Close" className="absolute top-2.5 right-2.5">
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              }
            />
            {children}
            {actions && (
              <footer className="flex flex-col-reverse gap-2 pt-1 md:flex-row md:justify-end">
                {actions}
              </footer>
            )}
          </Primitive.Popup>
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
