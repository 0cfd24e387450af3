import type { Move } from '#domain/submission.ts'
import { buttonClass } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { statusLook } from '../../../ui/StatusBadge.tsx'
import { KeyHint, keyShortcut } from '../../keys/KeyHint.tsx'
import { actionOf } from '../../keys/key-table.ts'

interface MoveButtonProps {
  move: Move
  /** Whether a press counts; the look hardly changes, for it is a matter of a blink. */
  ready: boolean
  pending: boolean
  onPress: () => void
}

/** The button of a move, coloured by where it leads. */
export function MoveButton({ move, ready, pending, onPress }: MoveButtonProps) {
  const { tone } = statusLook(move.to)
  const action = actionOf(move)
  return (
    <button
      type="button"
      disabled={!ready}
      aria-keyshortcuts={keyShortcut(action)}
      onClick={onPress}
      className={cx(
        buttonClass({ variant: tone === 'positive' ? 'primary' : 'secondary' }),
        tone === 'negative' && 'text-negative',
        'disabled:opacity-70',
      )}
    >
      {pending && <Spinner />}
      {move.label}
      <KeyHint action={action} />
    </button>
  )
}
