import { Ellipsis, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type View, viewRules } from '#domain/queue.ts'
import { may } from '#domain/roles.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Menu, MenuAction } from '#web/kit/Menu.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useNow } from '#web/wire/use-now.ts'
import { List } from '../list/List.tsx'
import { useSideBySide } from '../list/use-side-by-side.ts'
import { holderAt } from '../shell/claim.ts'
import { useStaff } from '../shell/use-staff.ts'
import { Scene } from './Scene.tsx'
import { rowRem, SubmissionRow } from './SubmissionRow.tsx'
import { countFilters, type useSubmissions, useView } from './use-view.ts'

interface SubmissionListProps {
  list: ReturnType<typeof useSubmissions>
  openId: string | undefined
  onCleared: () => void
}

export function SubmissionList({ list, openId, onCleared }: SubmissionListProps) {
  const { view, linkTo } = useView()
  const { admin } = useStaff()
  const sideBySide = useSideBySide()
  const now = useNow(10_000)
  const isSearch = Boolean(view.q) || countFilters(view) > 0
  return (
    <List
      noun="submission"
      label="Submissions"
      list={list}
      rowRem={rowRem}
      openId={openId}
      row={(row) => {
        const holder = holderAt(row.claimedBy, now)
        return (
          <SubmissionRow
            submission={row}
            open={row.id === openId}
            replace={sideBySide}
            linkTo={linkTo}
            colleague={holder?.id === admin.id ? undefined : holder?.username}
            isAssigned={holder?.assignedBy !== null}
            showStatus={viewRules[view.view].statuses.length > 1}
            now={Math.floor(now / MINUTE_MS) * MINUTE_MS}
          />
        )
      }}
      empty={<Empty view={view.view} isSearch={isSearch} />}
      order={view.q ? undefined : orders[view.view]}
      actions={may(admin.role, 'clear_submissions') && <ListActions onCleared={onCleared} />}
    />
  )
}

/** What the name of a view does not say. */
const orders: Partial<Record<View, string>> = {
  review: 'Answered first, then the oldest',
  pay: 'Oldest first, including cards in a batch',
}

/** Rows render again when this changes. */
const MINUTE_MS = 60_000

const emptyViews: Readonly<Record<View, [title: string, hint: string]>> = {
  review: ['Nothing is waiting for review', 'New submissions and answers appear here.'],
  waiting: [
    'Nothing is waiting for a seller',
    'Submissions appear here after you ask a question, or when a payout failed because of its account.',
  ],
  offered: ['No offer is waiting for an answer', 'Submissions appear here after you offer another price.'],
  pay: ['Nothing is waiting to be paid', 'Approved submissions appear here.'],
  done: ['Nothing is done yet', 'Submissions appear here when they are decided.'],
  all: ['No submissions yet', 'Submissions appear here as sellers send them.'],
}

function Empty({ view, isSearch }: { view: View; isSearch: boolean }) {
  if (isSearch) {
    return (
      <EmptyState icon={<Scene scene="notFound" />} title="No submission matches">
        Change the search or the filters.
      </EmptyState>
    )
  }
  const [title, hint] = emptyViews[view]
  return (
    <EmptyState icon={<Scene scene={view === 'review' ? 'sent' : 'empty'} />} title={title}>
      {hint}
    </EmptyState>
  )
}

const ClearForm = lazyComponent(() => import('./ClearForm.tsx').then((module) => module.ClearForm))

/** A menu for rare actions, so that nobody presses them by mistake. */
function ListActions({ onCleared }: { onCleared: () => void }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Menu
        label={<Ellipsis className="size-4" />}
        name="List actions"
        size="sm"
        open={isMenuOpen}
        onOpenChange={setMenuOpen}
      >
        <MenuAction
          icon={<Trash2 className="size-5 text-soft" />}
          onSelect={() => {
            setMenuOpen(false)
            setOpen(true)
          }}
        >
          Clear All
        </MenuAction>
      </Menu>
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
