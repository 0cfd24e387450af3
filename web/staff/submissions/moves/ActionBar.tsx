import { History as HistoryIcon } from 'lucide-react'
import { useState } from 'react'
import type { StaffSubmission } from '#contract/submissions.ts'
import { type Move, movesFrom, staffStatus } from '#domain/submission.ts'
import { Button } from '../../../ui/Button.tsx'
import { KeyHint, keyShortcut } from '../../keys/KeyHint.tsx'
import { actionOf } from '../../keys/key-table.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { DecisionDialog } from './DecisionDialog.tsx'
import { MoveButton } from './MoveButton.tsx'
import type { MoveMutation } from './use-move.ts'
import { useSettled } from './use-settled.ts'

interface ActionBarProps {
  submission: StaffSubmission
  move: MoveMutation
  cameByItself: boolean
  historyShown: boolean
  onHistory: () => void
}

/** What can be done with the submission now, always in sight: the buttons of the status table. */
export function ActionBar({ submission, move, cameByItself, historyShown, onHistory }: ActionBarProps) {
  const [asked, setAsked] = useState<Move>()
  const [dialogShown, showDialog] = useState(false)
  const moves = movesFrom(staffStatus(submission.status), 'staff')
  const ready = useSettled(cameByItself) && !move.isBusy

  function press(chosen: Move) {
    if (!ready) return
    if (!chosen.needs) return move.decide({ move: chosen })
    setAsked(chosen)
    showDialog(true)
  }

  useKeys(Object.fromEntries(moves.map((chosen) => [actionOf(chosen), () => press(chosen)])))

  return (
    <div className="top-0 z-10 flex flex-wrap items-center gap-2 border-line border-y bg-surface px-5 py-3 md:sticky">
      <fieldset aria-busy={!ready} className="contents">
        <legend className="sr-only">Status</legend>
        {moves.map((chosen) => (
          <MoveButton
            key={chosen.to}
            move={chosen}
            ready={ready}
            pending={move.isPending && move.pending?.to === chosen.to}
            onPress={() => press(chosen)}
          />
        ))}
      </fieldset>
      <Button
        variant="quiet"
        className="ml-auto"
        aria-pressed={historyShown}
        aria-keyshortcuts={keyShortcut('history')}
        onClick={onHistory}
        icon={<HistoryIcon aria-hidden="true" className="size-4" />}
      >
        History <KeyHint action="history" />
      </Button>
      {asked && (
        <DecisionDialog
          open={dialogShown}
          move={asked}
          submission={submission}
          decision={move}
          onClose={() => showDialog(false)}
        />
      )}
    </div>
  )
}
