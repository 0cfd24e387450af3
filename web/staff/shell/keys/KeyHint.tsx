import { Keyboard } from 'lucide-react'
import { type ComponentProps, createContext, use } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { type Action, isCharacter, keyTable } from './key-table.ts'
import { useShortcutsOn } from './use-keys.ts'

/** For content that a dialog may show: shortcuts are off in a dialog, so its buttons must not name keys. */
export const KeysAreOff = createContext(false)

/** Shows a button's key on the button, for people with a mouse. */
export function KeyHint({ action, className }: { action: Action; className?: string }) {
  const isOn = useShortcutsOn()
  if (use(KeysAreOff) || !isOn) return null
  return (
    <KeyCap className={cx('key-hint hidden opacity-75 sm:pointer-fine:inline-grid', className)}>
      {keyTable[action].cap}
    </KeyCap>
  )
}

/** A button that shows its key. */
export function KeyButton({
  action,
  children,
  ...button
}: ComponentProps<typeof Button> & { action: Action }) {
  return (
    <Button aria-keyshortcuts={useKeyShortcut(action)} {...button}>
      {children} <KeyHint action={action} />
    </Button>
  )
}

/** The button that lists the keys. */
export function KeysButton({ children = 'Keys', ...button }: ComponentProps<typeof Button>) {
  return (
    <KeyButton action="help" variant="quiet" icon={<Keyboard />} {...button}>
      {children}
    </KeyButton>
  )
}

/** Decoration: screen readers get `aria-keyshortcuts` from `useKeyShortcut`. */
export function KeyCap({ children, className }: { children: string; className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'min-w-4.5 place-items-center rounded-sm border border-current px-0.5 font-mono font-normal text-xs leading-4',
        className,
      )}
    >
      {children}
    </span>
  )
}

/** The value of `aria-keyshortcuts`. */
export function useKeyShortcut(action: Action | undefined): string | undefined {
  const isOn = useShortcutsOn()
  if (use(KeysAreOff)) return undefined
  return action && keyTable[action].keys.find((key) => isOn || !isCharacter(key))
}
