import { useEffectEvent, useLayoutEffect } from 'react'
import { isTyping } from '#web/kit/is-typing.ts'
import { useLocation } from '#web/kit/router/index.ts'
import { createStoredText, useStore } from '#web/kit/store.ts'
import { ignoreKeys } from './early-keys.tsx'
import { type Action, isCharacter, keyTable } from './key-table.ts'

type Handlers = Partial<Record<Action, (event: KeyboardEvent) => void>>

/**
 * Handles keys while the component is mounted, except while the user types or a dialog is open.
 * @param options.inDialog for the keys of a dialog itself
 */
export function useKeys(handlers: Handlers, { inDialog = false } = {}): void {
  const { search } = useLocation()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || (!inDialog && dialogIsOpen())) return
    const key = event.key.toLowerCase()
    if (key === ' ' && isPressedBySpace(event.target)) return
    if (isCharacter(key) && !shortcutsOn()) return
    for (const [action, handle] of Object.entries(handlers) as [Action, (event: KeyboardEvent) => void][]) {
      if (!keyTable[action].keys.some((known) => known.toLowerCase() === key)) continue
      event.preventDefault()
      // The address is ahead of the screen after J or a search: S must not decide on the submission that still shows.
      const shown = itemIn(search)
      const isEarly = shown && shown !== itemIn(location.search) && !INDEPENDENT.includes(action)
      // A held key repeats navigation and zoom, but never a decision.
      if (event.repeat && !REPEATABLE.includes(action)) return
      return isEarly ? ignoreKeys(event) : handle(event)
    }
  })
  // A layout effect, because a passive one would miss a key pressed just after the buttons appear.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // Capturing, because an open dialog stops the arrow keys from bubbling.
    window.addEventListener('keydown', listener, { capture: inDialog })
    return () => window.removeEventListener('keydown', listener, { capture: inDialog })
  }, [inDialog])
}

function isPressedBySpace(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('button, summary, input, [role="tab"], [role="menuitem"]')
  )
}

/** The open submission, payout or conversation. */
function itemIn(search: string): string | null {
  const address = new URLSearchParams(search)
  return address.get('id') ?? address.get('thread')
}

const LIST_STEPS: readonly Action[] = [
  'next',
  'previous',
  'payoutNext',
  'payoutPrevious',
  'stockNext',
  'stockPrevious',
  'reviewNext',
  'reviewPrevious',
]
/** They do not act on the item that the screen shows, so it may be behind the address. */
const INDEPENDENT: readonly Action[] = [
  ...LIST_STEPS,
  'chatNext',
  'chatPrevious',
  'payoutSelect',
  'undo',
  'search',
  'filterStatus',
  'help',
  'tab1',
  'tab2',
  'tab3',
  'tab4',
  'viewDue',
  'viewBatches',
  'viewReturns',
  'viewAll',
]
const REPEATABLE: readonly Action[] = [...LIST_STEPS, 'scroll', 'zoomIn', 'zoomOut']

/** For the keys of a submission before it has loaded, and while a decision on it is being sent. */
export const earlyKeys: Handlers = Object.fromEntries(
  Object.entries(keyTable)
    .filter(([action, { where }]) => ['Decide', 'Look closer'].includes(where) && action !== 'undo')
    .map(([action]) => [action, ignoreKeys]),
)

export function dialogIsOpen(): boolean {
  // A dialog that is fading out is still in the document but has no `data-open`.
  return document.querySelector('[role="dialog"][data-open], [role="alertdialog"][data-open]') !== null
}

/** Whether single-key shortcuts are on in this browser. */
const stored = createStoredText('localStorage', 'staff-shortcuts')

function shortcutsOn(): boolean {
  return stored.get() !== 'off'
}

export function switchShortcuts(on: boolean): void {
  stored.set(on ? 'on' : 'off')
}

export function useShortcutsOn(): boolean {
  return useStore(stored) !== 'off'
}
