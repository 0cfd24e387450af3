import { useEffectEvent, useLayoutEffect } from 'react'
import { isTyping } from '#web/kit/is-typing.ts'
import { type Action, isCharacter, keyTable } from './key-table.ts'
import { shortcutsOn } from './shortcuts.ts'

type Handlers = Partial<Record<Action, () => void>>

/**
 * Listens to the keys of these actions as long as a component is shown. Nobody's typing is taken for a key,
 * and what lies under a dialog doesn't listen; a dialog's own keys say `inDialog`.
 */
export function useKeys(handlers: Handlers, { inDialog = false } = {}): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || (!inDialog && dialogIsOpen())) return
    const key = event.key.toLowerCase()
    if (isCharacter(key) && !shortcutsOn()) return
    for (const [action, handle] of Object.entries(handlers) as [Action, () => void][]) {
      if (!keyTable[action].keys.some((known) => known.toLowerCase() === key)) continue
      event.preventDefault()
      // Held keys run through a list or a zoom, but never through decisions.
      if (!event.repeat || REPEATABLE.includes(action)) handle()
      return
    }
  })
  // A layout effect: a plain one runs a moment after the buttons are shown, and would miss a key pressed before that.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // An open dialog keeps the arrows to itself, so that its own keys are caught on the way down.
    window.addEventListener('keydown', listener, { capture: inDialog })
    return () => window.removeEventListener('keydown', listener, { capture: inDialog })
  }, [inDialog])
}

const REPEATABLE: readonly Action[] = ['next', 'previous', 'zoomIn', 'zoomOut']

export function dialogIsOpen(): boolean {
  // A dialog on its way out is still in the page, but no longer open.
  return document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]') !== null
}
