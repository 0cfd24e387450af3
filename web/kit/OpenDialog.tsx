import { Dialog as Primitive } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useWords } from '#web/words/words.ts'
import { Button, IconButton } from './Button.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** The buttons. On phones they are stacked, the last one on top. */
  actions?: ReactNode
  wide?: boolean | undefined
  /** What receives focus when the dialog closes, if it is not what opened it. */
  finalFocus?: (() => HTMLElement | null) | undefined
  children?: ReactNode
}

/**
 * A modal dialog, on phones a bottom sheet. Escape and a press outside ask before typed text is discarded. `data-typed` marks
 * a field whose text was typed before the dialog was opened.
 */
export function OpenDialog(props: DialogProps) {
  const { open, onOpenChange, title, description, actions, wide, finalFocus, children } = props
  const t = useWords()
  const typedInto = useRef(new Set<HTMLInputElement | HTMLTextAreaElement>())
  const popup = useRef<HTMLDivElement>(null)
  const [asking, setAsking] = useState(false)
  if (asking && !open) setAsking(false)

  function noteTyping({ target }: FormEvent) {
    if (isTextField(target)) typedInto.current.add(target)
  }
  function change(next: boolean, { reason }: Primitive.Root.ChangeEventDetails) {
    const typedBefore = popup.current?.querySelectorAll<HTMLTextAreaElement>('[data-typed]') ?? []
    const accidental = reason === 'escape-key' || reason === 'outside-press'
    if (next || !accidental) onOpenChange(next)
    else if (asking) setAsking(false)
    else if ([...typedInto.current, ...typedBefore].some(holdsText)) setAsking(true)
    else onOpenChange(false)
  }

  return (
    <Primitive.Root open={open} onOpenChange={change}>
      <Primitive.Portal>
        <Primitive.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Primitive.Viewport className="fixed inset-0 z-40 grid items-end overflow-y-auto md:place-items-center md:p-8">
          <Primitive.Popup
            ref={popup}
            finalFocus={finalFocus && (() => finalFocus() ?? true)}
            data-floating="sheet"
            onInput={noteTyping}
            onKeyDown={ignoreHeldEnter}
            className={`relative flex max-h-[92dvh] w-full flex-col gap-4 overflow-y-auto rounded-t-lg bg-surface p-5 shadow-raised outline-none transition-all data-ending-style:translate-y-3 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0 md:rounded-lg md:p-7 ${wide ? 'md:max-w-3xl' : 'md:max-w-lg'}`}
          >
            <div className="contents" inert={asking}>
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
                  <IconButton label={t('site.dialog.close')} className="absolute top-2.5 right-2.5">
                    <X aria-hidden="true" className="size-5" />
                  </IconButton>
                }
              />
              {children}
              {actions && (
                <footer className="form-actions flex flex-col-reverse gap-2 pt-1 md:flex-row md:justify-end">
                  {actions}
                </footer>
              )}
            </div>
            {asking && <AskToDiscard onKeep={() => setAsking(false)} onDiscard={() => onOpenChange(false)} />}
          </Primitive.Popup>
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** Covers the buttons of the dialog, so that nothing moves. */
function AskToDiscard({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const t = useWords()
  return (
    // Takes no height: it lies in the gap above the buttons.
    <div className="sticky bottom-0 z-20 -mt-4 h-0">
      <div
        role="alertdialog"
        aria-label={t('site.dialog.discard')}
        className="absolute inset-x-[-1.25rem] bottom-[-1.25rem] grid gap-3 border-line border-t bg-surface px-5 pt-3 pb-5 md:inset-x-[-1.75rem] md:bottom-[-1.75rem] md:grid-cols-[1fr_auto] md:items-center md:px-7"
      >
        <p className="font-semibold">{t('site.dialog.discard')}</p>
        <div className="flex flex-col-reverse gap-2 md:flex-row md:justify-end">
          <Button variant="secondary" onClick={onDiscard}>
            {t('site.dialog.discardConfirm')}
          </Button>
          <Button autoFocus onClick={onKeep}>
            {t('site.dialog.discardCancel')}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** The Enter that opened a dialog, or chose something in it, must not also press the button that receives focus. */
function ignoreHeldEnter(event: KeyboardEvent) {
  if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
    event.preventDefault()
}

/** Search fields don't count, because a search is easy to retype. */
function isTextField(target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file', 'search'].includes(target.type))
  )
}

function holdsText(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  return field.isConnected && field.value.trim() !== ''
}
