import { Inbox, SearchX, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { may } from '#domain/roles.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useNow } from '#web/wire/use-now.ts'
import { Count } from '../lists/PagedTable.tsx'
import { VirtualList } from '../lists/VirtualList.tsx'
import { useStaff } from '../use-staff.ts'
import { holderAt } from './claims/claim.ts'
import { ROW_REM, SubmissionRow } from './SubmissionRow.tsx'
import { useSideBySide } from './use-side-by-side.ts'
import { type useSubmissions, useView } from './use-view.ts'

interface SubmissionListProps {
  list: ReturnType<typeof useSubmissions>
  openId: string | undefined
  onCleared: () => void
}

export function SubmissionList({ list, openId, onCleared }: SubmissionListProps) {
  const { view, linkTo } = useView()
  const { q, status, brand } = view
  const { admin } = useStaff()
  const sideBySide = useSideBySide()
  const now = useNow(10_000)
  return (
    <section
      aria-label="Submissions"
      className="flex min-h-72 flex-1 flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <div className="flex min-h-11 items-center justify-between gap-2 border-line border-b pr-1 pl-4 text-soft text-sm">
        <Count list={list} noun="submissions" />
        {may(admin.role, 'clear_submissions') && <ClearAll onCleared={onCleared} />}
      </div>
      <VirtualList
        // Another filter starts at the top.
        key={JSON.stringify([q, status, brand])}
        list={list}
        noun="submissions"
        rowRem={ROW_REM}
        openId={openId}
        empty={
          q || status || brand ? (
            <EmptyState icon={<SearchX />} title="No submission matches">
              Change the search or the filters.
            </EmptyState>
          ) : (
            <EmptyState icon={<Inbox />} title="No submissions yet">
              Submissions appear here as sellers send them.
            </EmptyState>
          )
        }
      >
        {(row) => {
          const holder = holderAt(row.claimedBy, now)
          return (
            <SubmissionRow
              submission={row}
              open={row.id === openId}
              replace={sideBySide}
              linkTo={linkTo}
              colleague={holder?.id === admin.id ? undefined : holder?.username}
            />
          )
        }}
      </VirtualList>
    </section>
  )
}

const ClearForm = lazyComponent(() => import('./ClearForm.tsx').then((module) => module.ClearForm))

function ClearAll({ onCleared }: { onCleared: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="sm" onClick={() => setOpen(true)} icon={<Trash2 />}>
        Clear All
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Clear All"
        description="Removes submissions from every list and erases their numbers and photos. This can't be undone."
      >
        <Suspense fallback={<Skeleton className="h-64" />}>
          <ClearForm onClose={() => setOpen(false)} onCleared={onCleared} />
        </Suspense>
      </Dialog>
    </>
  )
}
