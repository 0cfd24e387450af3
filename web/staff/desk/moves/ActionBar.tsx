import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { commitsToPay } from '#domain/risk.ts'
import { may } from '#domain/roles.ts'
import { type Move, type MoveName, movesFrom, staffStatus } from '#domain/submission.ts'
import { statusLook } from '#web/cards/StatusBadge.tsx'
import { buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Menu, MenuAction } from '#web/kit/Menu.tsx'
import { useMedia, WIDER_THAN_PHONE } from '#web/kit/media.ts'
import { Spinner } from '#web/kit/Spinner.tsx'
import { toast } from '#web/kit/toast.ts'
import type { ClaimControl } from '../../facts/use-claim.ts'
import { ignoreKeys } from '../../shell/keys/early-keys.tsx'
import { KeyHint, useKeyShortcut } from '../../shell/keys/KeyHint.tsx'
import { actionOf } from '../../shell/keys/key-table.ts'
import { moveHints, moveLabel } from '../../shell/keys/move-label.ts'
import { earlyKeys, useKeys } from '../../shell/keys/use-keys.ts'
import { DOUBLE_PRESS_MS, useDebounced } from '../../shell/use-debounced.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { showBlockingRisk } from '../detail/Risks.tsx'
import type { ConcurrentMove } from './ConcurrentMove.tsx'
import { DecisionDialog, takesText } from './DecisionDialog.tsx'
import { type MoveStop, ownRejection, stopOf } from './move-stop.ts'
import { openRisk } from './open-risk.ts'
import type { MoveMutation } from './use-move.ts'

interface ActionBarProps {
  submission: StaffSubmission
  move: MoveMutation
  claim: ClaimControl
  concurrentMove: ConcurrentMove
  justOpened: boolean
}

/** Time to notice that a colleague's move has changed the buttons. */
const NOTICE_MS = 1200

/** The moves that the submission's status and the person's role allow. Nothing if there are none. */
export function ActionBar(props: ActionBarProps) {
  const { submission, move, claim, concurrentMove, justOpened } = props
  const { admin } = useStaff()
  const [asked, setAsked] = useState<{ move: Move; version: number }>()
  const [dialogShown, showDialog] = useState(false)
  const moves = movesFrom(staffStatus(submission.status), 'staff')
    .filter((one) => one.may?.some((capability) => may(admin.role, capability)))
    // It records a payout as paid by hand.
    .filter(({ to }) => to !== 'completed' || admin.manualPayouts)
  const seenVersion = useDebounced(
    submission.version,
    concurrentMove.changed ? NOTICE_MS : DOUBLE_PRESS_MS,
    submission.version,
  )
  const isSteady = !justOpened && seenVersion === submission.version && !move.isBusy
  // A row of the list shows before its risks are known.
  const risksLoading = submission.risks === null && may(admin.role, 'see_details')
  const isReady = (chosen: Move) => isSteady && !(risksLoading && commitsToPay(chosen))

  function press(chosen: Move) {
    if (!isReady(chosen)) return
    if (claim.other) return sayTaken(claim.other.username)
    const stopped = stopOf(submission, chosen)
    if (stopped) return toast({ ...stopped, variant: 'destructive' })
    const risk = openRisk(submission, chosen)
    if (risk) return showBlockingRisk(submission.id, risk)
    if (!asksFirst(chosen)) return move.decideAtOnce(chosen)
    setAsked({ move: chosen, version: submission.version })
    showDialog(true)
  }

  useKeys({
    ...Object.fromEntries(
      moves.map((chosen) => [
        actionOf(chosen),
        (event: KeyboardEvent) => (isReady(chosen) ? press(chosen) : ignoreKeys(event)),
      ]),
    ),
    ...(claim.other && claim.takeOver && { takeOver: claim.takeOver }),
  })

  // The dialog of the decision is still open, and takes no keys.
  useKeys(move.isPending ? earlyKeys : {}, { inDialog: true })

  if (moves.length === 0) return null
  return (
    <div data-actions className={barClass}>
      <Buttons
        moves={moves}
        isSteady={isSteady}
        isReady={isReady}
        isTaken={(chosen) => claim.other !== undefined || openRisk(submission, chosen) !== undefined}
        stopOf={(chosen) => stopOf(submission, chosen)}
        pending={move.isPending ? move.pending : undefined}
        onPress={press}
      />
      {asked && (
        <DecisionDialog
          // Closes if a colleague moves the submission: Enter must not approve the new state.
          open={dialogShown && (takesText(asked.move) || asked.version === submission.version)}
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

/** Below the head where the list is beside it, otherwise at the bottom of the screen, in reach of a thumb. */
const barClass =
  'flex gap-1.5 border-line bg-surface px-4 min-[1100px]:gap-1 max-[1100px]:fixed max-[1100px]:inset-x-0 max-[1100px]:bottom-0 max-[1100px]:border-t max-[1100px]:pt-2.5 ' +
  'max-[1100px]:pb-[calc(0.625rem+env(safe-area-inset-bottom))] min-[1100px]:flex-wrap min-[1100px]:border-b min-[1100px]:px-5 min-[1100px]:py-2'

/** Completing tells the seller that the money was sent, so it asks first. */
function asksFirst(move: Move): boolean {
  return takesText(move) || move.name === 'rescind' || move.to === 'completed'
}

function sayTaken(username: string): void {
  toast({
    title: `${username} is working on it`,
    description: 'Take over the submission before you decide.',
    variant: 'destructive',
  })
}

interface ButtonsProps {
  moves: readonly Move[]
  /** Not about to change. */
  isSteady: boolean
  /** A press counts. */
  isReady: (move: Move) => boolean
  /** A colleague has claimed the submission, or a risk blocks the move: a press says so or leads to the risk. */
  isTaken: (move: Move) => boolean
  /** Why this move cannot be made now. A press says so. */
  stopOf: (move: Move) => MoveStop | undefined
  pending: Move | undefined
  onPress: (move: Move) => void
}

/** The moves that a phone shows outside the menu, if there are more than two and some can be made. */
const onPhones: readonly MoveName[] = ['start', 'reject', 'resume']

/** The usual next step of its status. Recording a payout by hand is the exception: batches pay. */
const usual: readonly MoveName[] = ['start']

function Buttons({ moves, isSteady, isReady, isTaken, stopOf, pending, onPress }: ButtonsProps) {
  const isWide = useMedia(WIDER_THAN_PHONE)
  const [isOpen, open] = useState(false)
  const fits = isWide || moves.length <= 2
  const possible = moves.filter((move) => !stopOf(move))
  const usualOnPhones = possible.filter(({ name }) => onPhones.includes(name))
  const shown = fits ? moves : usualOnPhones.length > 0 ? usualOnPhones : possible
  const others = moves.filter((move) => !shown.includes(move))
  return (
    <fieldset aria-busy={!isSteady} className="contents">
      <legend className="sr-only">Status</legend>
      {shown.map((move) => (
        <MoveButton
          key={move.to}
          move={move}
          ready={isReady(move)}
          taken={isTaken(move) || stopOf(move) !== undefined}
          stop={stopOf(move)}
          pending={pending?.to === move.to}
          onPress={() => onPress(move)}
        />
      ))}
      {others.length > 0 && (
        <Menu label={<Ellipsis className="size-5" />} name="More" size="sm" open={isOpen} onOpenChange={open}>
          {others.map((move) => (
            <MenuAction
              key={move.to}
              disabled={!isReady(move)}
              onSelect={() => {
                open(false)
                onPress(move)
              }}
            >
              {moveLabel(move)}
            </MenuAction>
          ))}
        </Menu>
      )}
    </fieldset>
  )
}

interface MoveButtonProps {
  move: Move
  ready: boolean
  taken: boolean
  stop: MoveStop | undefined
  pending: boolean
  onPress: () => void
}

function MoveButton({ move, ready, taken, stop, pending, onPress }: MoveButtonProps) {
  const isNegative = statusLook(move.to).tone === 'negative'
  const action = actionOf(move)
  // The box of the appeal says who rejected it.
  const hint = stop === ownRejection ? undefined : (stop?.title ?? moveHints[move.name])
  return (
    <button
      type="button"
      disabled={!ready}
      title={stop ? `${stop.title}. ${stop.description}` : hint}
      aria-disabled={taken || undefined}
      aria-keyshortcuts={useKeyShortcut(action)}
      onClick={onPress}
      className={cx(
        buttonClass({ variant: usual.includes(move.name) && !taken ? 'primary' : 'secondary', size: 'sm' }),
        'max-[1100px]:min-h-12! max-[1100px]:flex-auto max-[1100px]:px-2 min-[1100px]:gap-1.5 min-[1100px]:px-2 min-[1100px]:py-1',
        isNegative && !taken && 'text-negative',
        taken && 'border-dashed text-soft',
        // Without a transition, so that a blocked button looks blocked at once.
        'transition-none disabled:opacity-70',
      )}
    >
      {pending && <Spinner />}
      <span className="grid text-left">
        {moveLabel(move)}
        {hint && (
          <span aria-hidden="true" className="font-normal text-xs">
            {hint}
          </span>
        )}
      </span>
      <KeyHint action={action} className="max-xl:hidden!" />
    </button>
  )
}
