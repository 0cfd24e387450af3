import { History as HistoryIcon } from 'lucide-react'
import { useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { may } from '#domain/roles.ts'
import { type Move, movesFrom, staffStatus } from '#domain/submission.ts'
import { statusLook } from '#web/cards/StatusBadge.tsx'
import { buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Spinner } from '#web/kit/Spinner.tsx'
import { toast } from '#web/kit/toast.ts'
import { KeyButton, KeyHint, useKeyShortcut } from '../../keys/KeyHint.tsx'
import { actionOf } from '../../keys/key-table.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useDebounced } from '../../use-debounced.ts'
import { useStaff } from '../../use-staff.ts'
import type { ClaimControl } from '../claims/use-claim.ts'
import type { ConcurrentMove } from './ConcurrentMove.tsx'
import { DecisionDialog } from './DecisionDialog.tsx'
import { moveLabel } from './move-label.ts'
import type { MoveMutation } from './use-move.ts'

interface ActionBarProps {
  submission: StaffSubmission
  move: MoveMutation
  claim: ClaimControl
  concurrentMove: ConcurrentMove
  openedByItself: boolean
  historyShown: boolean
  onHistory: () => void
}

/** Ignores accidental repeat presses on the buttons of the next submission within this many ms. */
const DOUBLE_PRESS_MS = 400
/** Time to notice that a colleague's move has changed the buttons. */
const NOTICE_MS = 1200

/** The moves that the submission's status allows. */
export function ActionBar(props: ActionBarProps) {
  const { submission, move, claim, concurrentMove, openedByItself, historyShown, onHistory } = props
  const [asked, setAsked] = useState<{ move: Move; version: number }>()
  const [dialogShown, showDialog] = useState(false)
  const { role } = useStaff().admin
  const moves = movesFrom(staffStatus(submission.status), 'staff').filter(({ may: needed = [] }) =>
    needed.some((capability) => may(role, capability)),
  )
  const seenVersion = useDebounced(
    submission.version,
    concurrentMove.changed ? NOTICE_MS : DOUBLE_PRESS_MS,
    openedByItself ? 0 : submission.version,
  )
  const ready = seenVersion === submission.version && !move.isBusy

  function press(chosen: Move, { byKey = false } = {}) {
    if (!ready) return
    if (claim.other) return sayTaken(claim.other.username)
    // An approval pays money, and a key is easy to hit by mistake, so the key asks first.
    const asks = chosen.needs !== undefined || (byKey && chosen.to === 'completed')
    if (!asks) return move.decide({ move: chosen })
    setAsked({ move: chosen, version: submission.version })
    showDialog(true)
  }

  useKeys({
    ...Object.fromEntries(moves.map((chosen) => [actionOf(chosen), () => press(chosen, { byKey: true })])),
    ...(claim.other && claim.takeOver && { takeOver: claim.takeOver }),
  })

  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-y bg-surface px-4 py-2.5 lg:px-5">
      <fieldset aria-busy={!ready} className="contents">
        <legend className="sr-only">Status</legend>
        {moves.map((chosen) => (
          <MoveButton
            key={chosen.to}
            move={chosen}
            ready={ready}
            taken={claim.other !== undefined}
            pending={move.isPending && move.pending?.to === chosen.to}
            onPress={() => press(chosen)}
          />
        ))}
      </fieldset>
      <KeyButton
        action="history"
        variant="quiet"
        className="ml-auto"
        aria-pressed={historyShown}
        onClick={onHistory}
        icon={<HistoryIcon />}
      >
        History
      </KeyButton>
      {asked && (
        <DecisionDialog
          // Closes if a colleague moves the submission: Enter must not approve the new state.
          open={dialogShown && (asked.move.needs !== undefined || asked.version === submission.version)}
          move={asked.move}
          submission={submission}
          decision={move}
          claim={claim}
          onClose={() => showDialog(false)}
        />
      )}
    </div>
  )
}

function sayTaken(username: string): void {
  toast({
    title: `${username} is working on it`,
    description: 'Take over the submission before you decide.',
    variant: 'destructive',
  })
}

interface MoveButtonProps {
  move: Move
  /** A press counts. */
  ready: boolean
  /** A colleague has claimed the submission: a press says so. */
  taken: boolean
  pending: boolean
  onPress: () => void
}

function MoveButton({ move, ready, taken, pending, onPress }: MoveButtonProps) {
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
