import { useState } from 'react'
import type { Hold } from '#contract/holds.ts'
import { routes } from '#contract/routes.ts'
import { may } from '#domain/roles.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { useLast } from '#web/kit/Dialog.tsx'
import { Link } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { pathTo } from '#web/words/paths.ts'
import { changedByHolds, heldBy } from '../facts/Holds.tsx'
import { Reference } from '../facts/Reference.tsx'
import { type Column, focusedRow } from '../list/DataTable.tsx'
import { FilterSelect } from '../list/FilterSelect.tsx'
import { List } from '../list/List.tsx'
import { useFilters } from '../list/use-address.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { KeysButton } from '../shell/keys/KeyHint.tsx'
import { KeysDialog } from '../shell/keys/KeysDialog.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { When } from '../shell/RelativeTime.tsx'
import { StaffScreen } from '../shell/StaffScreen.tsx'
import { useStaff } from '../shell/use-staff.ts'

const kinds = [
  { value: 'seller', label: 'Sellers' },
  { value: 'submission', label: 'Submissions' },
] as const
const filters = { on: (text: string) => kinds.find(({ value }) => value === text)?.value }

/** Every hold that nobody has lifted. */
export default function OpenHolds() {
  const mayLift = may(useStaff().admin.role, 'lift_holds')
  const [{ on }, change] = useFilters(filters)
  const list = usePagedList(routes.holds, { on }, { staleTime: 0 })
  const [lifting, setLifting] = useState<Hold>()
  const [showsKeys, setShowsKeys] = useState(false)
  useKeys({
    help: () => setShowsKeys(true),
    ...(mayLift && { holdLift: () => setLifting(focusedRow(list.rows)) }),
  })
  return (
    <StaffScreen
      isList
      title="Legal holds"
      intro="Nothing here is paid or erased until a manager lifts the legal hold. Place one on a submission or a seller's page."
    >
      <List
        noun="legal hold"
        list={list}
        columns={mayLift ? [...columns, liftColumn(setLifting)] : columns}
        focusKeys={{ next: 'holdNext', previous: 'holdPrevious' }}
        filters={
          <>
            <FilterSelect
              name="On what"
              all="All legal holds"
              choices={kinds}
              value={on}
              onChange={(kind) => change({ on: kind })}
            />
            <KeysButton onClick={() => setShowsKeys(true)} />
          </>
        }
        empty={on ? 'Show all legal holds.' : 'Data is erased when its time comes.'}
      />
      <LiftDialog hold={lifting} onClose={() => setLifting(undefined)} />
      <KeysDialog of="Holds" open={showsKeys} onOpenChange={setShowsKeys} />
    </StaffScreen>
  )
}

const columns: readonly Column<Hold>[] = [
  {
    name: 'Kept',
    isTitle: true,
    cell: ({ userId, submissionId, username }) =>
      userId ? (
        <Link
          to={pathTo('adminSeller', { id: userId })}
          className="wrap-anywhere font-medium underline decoration-1 underline-offset-4"
        >
          All of <bdi>{username}</bdi>
        </Link>
      ) : (
        <>
          <Reference id={submissionId ?? ''} to={pathTo('admin', { id: submissionId ?? '' })} />
          <span className="wrap-anywhere block text-soft">
            from <bdi>{username}</bdi>
          </span>
        </>
      ),
  },
  {
    name: 'Reason',
    cell: ({ reason }) => <p className="wrap-anywhere min-w-52 max-w-2xl whitespace-pre-line">{reason}</p>,
  },
  { name: 'Placed by', cell: ({ placedBy }) => <bdi className="wrap-anywhere">{placedBy}</bdi> },
  { name: 'Placed', cell: ({ placedAt }) => <When at={placedAt} as="dateTime" /> },
]

function liftColumn(onLift: (hold: Hold) => void): Column<Hold> {
  return {
    name: 'Lift',
    isAction: true,
    cell: (hold) => (
      <Button variant="secondary" size="sm" className="whitespace-nowrap" onClick={() => onLift(hold)}>
        Lift
      </Button>
    ),
  }
}

function LiftDialog({ hold, onClose }: { hold: Hold | undefined; onClose: () => void }) {
  const shown = useLast(hold)
  if (!shown) return null
  const what = shown.userId ? `all submissions of ${shown.username}` : `a submission of ${shown.username}`
  return (
    <ActionDialog
      open={hold !== undefined}
      onClose={onClose}
      title="Lift this legal hold?"
      description={`The data of ${what} is erased when its time comes, and this hold no longer stops payments.`}
      send={() => call(routes.liftHold, { body: heldBy(shown) })}
      failed="The legal hold could not be lifted."
      done={() => ({ title: 'Legal Hold Lifted' })}
      refreshes={changedByHolds}
      submit="Lift legal hold"
      focusSubmit
    >
      <p className="wrap-anywhere whitespace-pre-line border-line border-l-2 pl-3">{shown.reason}</p>
    </ActionDialog>
  )
}
