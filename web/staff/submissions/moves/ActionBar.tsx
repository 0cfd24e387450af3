import { History as HistoryIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { type Move, movesFrom, staffStatus } from '#domain/submission.ts'
import { Button, buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Spinner } from '#web/kit/Spinner.tsx'
import { statusLook } from '#web/kit/StatusBadge.tsx'
import { toast } from '#web/kit/toast.ts'
import { KeyHint, useKeyShortcut } from '../../keys/KeyHint.tsx'
import { actionOf } from '../../keys/key-table.ts'
import { useKeys } from '../../keys/use-keys.ts'
import type { ClaimControl } from '../claims/use-claim.ts'
import { DecisionDialog } from './DecisionDialog.tsx'
import type { Meanwhile } from './LostRace.tsx'
import { moveLabel } from './move-label.ts'
import type { MoveMutation } from './use-move.ts'

interface ActionBarProps {
  submission: StaffSubmission
  move: MoveMutation
  claim: ClaimControl
  meanwhile: Meanwhile
  cameByItself: boolean
  historyShown: boolean
  onHistory: () => void
}

/** What can be done with the submission now, always in sight: the buttons of the status table. */
export function ActionBar(props: ActionBarProps) {
  const { submission, move, claim, meanwhile, cameByItself, historyShown, onHistory } = props
  const [asked, setAsked] = useState<{ move: Move; version: number }>()
  const [dialogShown, showDialog] = useState(false)
  const moves = movesFrom(staffStatus(submission.status), 'staff')
  const settled = useSettled(submission.version, {
    atFirst: !cameByItself,
    after: meanwhile.changed ? GLANCE : BLINK,
  })
  const ready = settled && !move.isBusy

  function press(chosen: Move, { byKey = false } = {}) {
    if (!ready) return
    if (claim.other) return sayTaken(claim.other.username)
    // A single key is easily hit by mistake, and an approval pays: the key asks, the button does not.
    const asks = chosen.needs !== undefined || (byKey && chosen.to === 'completed')
    if (!asks) return move.decide({ move: chosen })
    setAsked({ move: chosen, version: submission.version })
    showDialog(true)
  }

  useKeys({
    ...Object.fromEntries(moves.map((chosen) => [actionOf(chosen), () => press(chosen, { byKey: true })])),
    ...(claim.other && { takeOver: claim.takeOver }),
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
      <Button
        variant="quiet"
        className="ml-auto"
        aria-pressed={historyShown}
        aria-keyshortcuts={useKeyShortcut('history')}
        onClick={onHistory}
        icon={<HistoryIcon aria-hidden="true" className="size-4" />}
      >
        History <KeyHint action="history" />
      </Button>
      {asked && (
        <DecisionDialog
          // If a colleague changes the submission meanwhile, Enter must not approve the new state.
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
  /** Whether a press counts; the look hardly changes, for it is a matter of a blink. */
  ready: boolean
  /** A colleague has the submission: pressing it says so. */
  taken: boolean
  pending: boolean
  onPress: () => void
}

/** The button of a move, coloured by where it leads. */
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

/** Milliseconds for the second press of a double-click, or of a key that was meant once. */
const BLINK = 400
/** For somebody to see that what they were about to press has changed under their hand. */
const GLANCE = 1200

/**
 * Whether what is shown has been in sight long enough for a press to be meant for it. After a decision the
 * next submission takes the place of the one before, its buttons under the same pointer; and a colleague's move
 * puts other buttons there.
 * @param shown what the buttons depend on
 */
function useSettled(shown: number, { atFirst, after }: { atFirst: boolean; after: number }): boolean {
  const [settled, setSettled] = useState(atFirst ? shown : undefined)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(shown), after)
    return () => clearTimeout(timer)
  }, [shown, after])
  return settled === shown
}
