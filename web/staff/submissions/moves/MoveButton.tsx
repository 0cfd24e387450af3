import type { Move } from '#domain/submission.ts'
import { buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Spinner } from '#web/kit/Spinner.tsx'
import { statusLook } from '#web/kit/StatusBadge.tsx'
import { KeyHint, useKeyShortcut } from '../../keys/KeyHint.tsx'
import { actionOf } from '../../keys/key-table.ts'
import { moveLabel } from './move-label.ts'

interface MoveButtonProps {
  move: Move
  /** Whether a press counts; the look hardly changes, for it is a matter of a blink. */
  ready: boolean
  /** A colleague has the submission: pressing it says so. */
  taken: boolean
  pending: boolean
  onPress: () => void
}

/** The button of a move, coloured by where it leads. */
export function MoveButton({ move, ready, taken, pending, onPress }: MoveButtonProps) {
  const { tone } = statusLook(move.to)
  const action = actionOf(move)
  return (
    <button
      type="button"
      disabled={!ready}
      aria-disabled={taken || undefined}
      aria-keyshortcuts={useKeyShortcut(action)}
      onClick={onPress}
      className={cx(
        buttonClass({ variant: tone === 'positive' && !taken ? 'primary' : 'secondary' }),
        tone === 'negative' && !taken && 'text-negative',
        taken && 'border-dashed text-soft',
        'disabled:opacity-70',
      )}
    >
      {pending && <Spinner />}
      {moveLabel(move)}
      <KeyHint action={action} />
    </button>
  )
}
