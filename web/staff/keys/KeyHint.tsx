import { cx } from '../../ui/cx.ts'
import { type Action, keyTable } from './key-table.ts'

/** The key that presses a button, on the button; a finger has no keys, so that it is shown with a mouse only. */
export function KeyHint({ action, className }: { action: Action; className?: string }) {
  return (
    <KeyCap className={cx('hidden opacity-75 pointer-fine:inline-grid', className)}>
      {keyTable[action].cap}
    </KeyCap>
  )
}

/** Decoration beside a button: `keyShortcut` is what a screen reader gets. */
export function KeyCap({ children, className }: { children: string; className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'min-w-5 place-items-center rounded-sm border border-current px-1 font-mono font-normal text-xs leading-4',
        className,
      )}
    >
      {children}
    </span>
  )
}

/** For `aria-keyshortcuts`. */
export function keyShortcut(action: Action): string {
  return keyTable[action].keys[0] ?? ''
}
