import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { isTyping } from './is-typing.ts'
import { lazyComponent, sayNotLoaded } from './lazy-component.ts'
import type { DialogProps } from './OpenDialog.tsx'

const OpenDialog = lazyComponent(() => import('./OpenDialog.tsx').then((module) => module.OpenDialog), {
  substitute: ({ open, onOpenChange }) => <NotLoaded open={open} onClose={() => onOpenChange(false)} />,
})

/** A modal dialog. Its code is fetched when it first opens: most visits open none. */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense fallback={props.open && <DialogLoading onCancel={() => props.onOpenChange(false)} />}>
        <OpenDialog {...props} />
      </Suspense>
    )
  )
}

/** The value, or the last one while there is none: a dialog keeps its content while it fades out. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/**
 * While a dialog's code is loading, keys do nothing on the screen below, and Escape cancels. Typing still works, because
 * the code may have to wait for a connection.
 */
export function DialogLoading({ onCancel }: { onCancel: () => void }) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (!/^(?:.|Enter|Escape|Arrow.+)$/u.test(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Escape') onCancel()
  })
  // A layout effect catches even the next key after the one that opened the dialog.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
  return null
}

interface NotLoadedProps {
  /** False if it was canceled while loading: then there is nothing to close or report. */
  open?: boolean
  onClose: () => void
}

/** Closes a dialog whose code could not be fetched. The toast comes last: the keys work again when it appears. */
export function NotLoaded({ open = true, onClose }: NotLoadedProps) {
  const giveUp = useEffectEvent(() => {
    onClose()
    sayNotLoaded()
  })
  useEffect(() => {
    if (open) giveUp()
  }, [open])
  return null
}
