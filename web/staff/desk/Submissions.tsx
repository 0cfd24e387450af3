import { ChevronLeft, SkipForward } from 'lucide-react'
import { Activity, type ReactNode, Suspense, useState } from 'react'
import { mayMoveFrom, viewRules, waitsForStaff } from '#domain/queue.ts'
import { may } from '#domain/roles.ts'
import type { Status } from '#domain/submission.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { isTyping } from '#web/kit/is-typing.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { useMedia } from '#web/kit/media.ts'
import { LoadsAhead } from '../facts/photos/photo-address.ts'
import { useSideBySide } from '../list/use-side-by-side.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { KeysDialog } from '../shell/keys/KeysDialog.tsx'
import { dialogIsOpen, earlyKeys, useKeys } from '../shell/keys/use-keys.ts'
import { DOUBLE_PRESS_MS, useDebounced } from '../shell/use-debounced.ts'
import { useIdle } from '../shell/use-idle.ts'
import { useStaff } from '../shell/use-staff.ts'
import { DetailSkeleton } from './detail/DetailSkeleton.tsx'
import { FilterBar } from './FilterBar.tsx'
import { UndoBar } from './moves/UndoBar.tsx'
import { SubmissionList } from './SubmissionList.tsx'
import { useNext } from './use-next.ts'
import { useOpenSubmission } from './use-open-submission.ts'
import { useSubmissions, useView } from './use-view.ts'
import { Views } from './Views.tsx'

// Loads after the list, which the reviewer sees first.
const Detail = lazyComponent(() => import('./detail/Detail.tsx').then((module) => module.Detail))
// Loads after the list too.
const Pace = lazyComponent(() => import('./Pace.tsx').then((module) => module.Pace))

/** The review desk: views and filters, the list, and the open submission. */
export function Submissions() {
  const { admin } = useStaff()
  const control = useView()
  const list = useSubmissions(control.view)
  const open = useOpenSubmission(list, control)
  const mayClaim = viewRules[control.view.view].statuses.some((status) => mayMoveFrom(admin.role, status))
  const { claimNext, isPending } = useNext(control, open.id)
  const [keysShown, showKeys] = useState(false)
  const [decided, setDecided] = useState<string>()
  const [undone, setUndone] = useState(0)
  const sideBySide = useSideBySide()
  const isIdle = useIdle()
  const showsPace = useMedia('(min-width: 1280px)') && isIdle && may(admin.role, 'read_reports')
  const showsList = sideBySide || control.view.id === undefined
  // Reserves the space before the first submission opens, so that the list does not become narrower under the pointer.
  const showsDetail = sideBySide ? open.id || list.query.isPending || list.rows.length > 0 : !showsList

  useKeys({
    next: () => void open.openNext(),
    previous: open.openPrevious,
    help: () => showKeys(true),
    ...(mayClaim && { claimNext }),
  })
  useKeys(open.isLeaving ? earlyKeys : {}, { inDialog: true })

  /** Opens the next submission if this one is done or has left the list. @returns whether it does */
  function moveOn(to: Status, decided: readonly string[] = []): boolean {
    const { view, status } = control.view
    const isListed = viewRules[view].statuses.includes(to) && (!status || status === to)
    if (waitsForStaff(to) && isListed) return false
    setDecided(open.id)
    return open.openNeighbor(decided)
  }

  /** Shows a decision that was refused after the next submission had opened. It interrupts no dialog and no typing there. */
  function reopen(id: string): void {
    setDecided(undefined)
    if (!dialogIsOpen() && !isTyping(document.activeElement)) control.change({ id })
  }

  const settledId = useDebounced(open.id, DOUBLE_PRESS_MS, open.id)
  const shown = new Set(open.id ? [open.id, ...open.ahead.map(({ id }) => id)] : [])

  return (
    <div
      data-fills-screen={showsList || undefined}
      className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] gap-3 px-4 py-3 2xl:px-6"
    >
      {showsList ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <div className="flex items-center justify-between gap-2">
            <Views />
            {showsPace && (
              <Suspense>
                <div className="ml-auto shrink-0">
                  <Pace />
                </div>
              </Suspense>
            )}
            {mayClaim && (
              <KeyButton
                action="claimNext"
                // Beside the list, the decision is what comes first.
                variant={sideBySide ? 'secondary' : 'primary'}
                size="sm"
                loading={isPending}
                onClick={claimNext}
                icon={<SkipForward />}
              >
                Next
              </KeyButton>
            )}
          </div>
          <FilterBar onKeys={() => showKeys(true)} />
        </div>
      ) : (
        <BackToList to={control.linkTo({ id: undefined })} />
      )}
      <div
        className={cx(
          'grid min-h-0 grid-cols-[minmax(0,1fr)] gap-3',
          showsDetail &&
            'min-[1100px]:grid-cols-[19rem_minmax(0,1fr)] min-[1400px]:grid-cols-[22rem_minmax(0,1fr)]',
          !showsList && 'content-start',
        )}
      >
        <div className={cx('min-h-72 flex-col gap-3', showsList ? 'flex' : 'contents')}>
          {showsList && <SubmissionList list={list} openId={open.id} onCleared={open.close} />}
          <UndoBar
            onUndone={(id) => {
              setDecided(undefined)
              setUndone(undone + 1)
              control.change({ id })
            }}
          />
        </div>
        {showsDetail && (
          <Suspense fallback={<Pane children={<DetailSkeleton />} />}>
            {open.id === undefined && <Pane children={<DetailSkeleton />} />}
            {[...shown].map((id) => (
              // The next ones are rendered already, but hidden. A submission starts again after an undo.
              <Activity key={`${id} ${undone}`} mode={id === open.id ? 'visible' : 'hidden'}>
                <Pane>
                  <LoadsAhead value={id !== open.id}>
                    <Detail
                      id={id}
                      listed={list.rows.find((row) => row.id === id)}
                      justOpened={decided !== undefined && decided !== id && settledId !== id}
                      onMoved={moveOn}
                      onRefused={reopen}
                      isSuggested={open.isSuggested && id === open.id}
                    />
                  </LoadsAhead>
                </Pane>
              </Activity>
            ))}
          </Suspense>
        )}
      </div>
      <KeysDialog open={keysShown} onOpenChange={showKeys} />
    </div>
  )
}

function Pane({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="Submission"
      data-submission
      className="flex min-h-0 min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface"
    >
      {children}
    </section>
  )
}

function BackToList({ to }: { to: string }) {
  return (
    <ButtonLink
      to={to}
      replace
      variant="quiet"
      className="-ml-2 justify-self-start px-2"
      icon={<ChevronLeft />}
    >
      All submissions
    </ButtonLink>
  )
}
