import { Suspense, useState } from 'react'
import { type Status, statusRules } from '#domain/submission.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { KeysDialog } from '../keys/KeysDialog.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { DetailSkeleton } from './detail/DetailSkeleton.tsx'
import { FilterBar } from './FilterBar.tsx'
import { UndoBar } from './moves/UndoBar.tsx'
import { SubmissionList } from './SubmissionList.tsx'
import { useSelection } from './use-selection.ts'
import { useSubmissions, useView } from './use-view.ts'

// Loads after the list, which the reviewer sees first.
const Detail = lazyComponent(() => import('./detail/Detail.tsx').then((module) => module.Detail))

/** The review desk: filters, the list, and the open submission. */
export function Submissions() {
  const control = useView()
  const list = useSubmissions(control.view)
  const selection = useSelection(list, control)
  const [keysShown, showKeys] = useState(false)
  const [decided, setDecided] = useState<string>()
  const [undone, setUndone] = useState(0)

  useKeys({
    next: () => void selection.openNext(),
    previous: selection.openPrevious,
    help: () => showKeys(true),
  })

  /** Opens the next submission if this one is done or has left the list. @returns whether it does */
  function moveOn(to: Status): boolean {
    const { status } = control.view
    const isDone = statusRules[to].final || to === 'under_review'
    if (!isDone && (!status || status === to)) return false
    setDecided(selection.id)
    return selection.openNeighbour()
  }

  return (
    <div className="grid min-h-0 flex-1 grid-rows-[auto_1fr] gap-4 p-4 lg:px-6">
      <FilterBar onKeys={() => showKeys(true)} />
      <div className="grid min-h-0 content-start gap-4 min-[1100px]:grid-cols-[22rem_minmax(0,1fr)] min-[1100px]:content-stretch">
        <div className="flex min-h-0 flex-col gap-3 *:first:flex-1">
          <SubmissionList list={list} openId={selection.id} onCleared={selection.close} />
          <UndoBar
            onUndone={(id) => {
              setDecided(undefined)
              setUndone(undone + 1)
              control.change({ id })
            }}
          />
        </div>
        {(selection.id || list.query.isPending) && (
          <section
            aria-label="Submission"
            className="flex min-h-0 min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface"
          >
            <Suspense fallback={<DetailSkeleton />}>
              {selection.id ? (
                <Detail
                  // Starts again after an undo.
                  key={`${selection.id} ${undone}`}
                  id={selection.id}
                  listed={selection.openRow}
                  openedByItself={decided !== undefined && decided !== selection.id}
                  onMoved={moveOn}
                  onReveal={selection.onReveal}
                />
              ) : (
                <DetailSkeleton />
              )}
            </Suspense>
          </section>
        )}
      </div>
      <KeysDialog open={keysShown} onOpenChange={showKeys} />
    </div>
  )
}
