import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { OctagonX, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Policy } from '#contract/policies.ts'
import { routes } from '#contract/routes.ts'
import { inDollars } from '#domain/money.ts'
import { may } from '#domain/roles.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Link } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import type { Column } from '../../list/DataTable.tsx'
import { List } from '../../list/List.tsx'
import { useAddress } from '../../list/use-address.ts'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { useStaff } from '../../shell/use-staff.ts'
import { ModeBadge, PolicyPage } from './PolicyPage.tsx'

/** The policies that approve cards without a person, or one of them. */
export default function Policies() {
  const mayWrite = may(useStaff().admin.role, 'write_policies')
  const [address] = useAddress()
  const query = useQuery({ ...read(routes.policies, {}), staleTime: 0 })
  const rows = query.data?.policies ?? []
  const brands = useQuery(read(routes.staffBrands, {}))
  const names = new Map(brands.data?.map(({ value, name }) => [value, name]))
  const id = address.get('id')
  return (
    <StaffScreen
      title="Policies"
      intro="What approves cards without a person, after the balance service has confirmed them."
    >
      {query.data?.stoppedAt && <Stopped at={query.data.stoppedAt} mayStart={mayWrite} />}
      {id === null ? (
        <List
          noun="policy"
          list={{ query, rows, total: rows.length }}
          columns={columnsWith(names, Boolean(query.data?.stoppedAt))}
          empty="Without a policy, people decide on every card. A new policy starts in shadow mode, where it decides nothing."
          actions={
            mayWrite && (
              <div className="flex flex-wrap gap-2 py-1">
                {rows.length > 0 && !query.data?.stoppedAt && <StopButton />}
                <ButtonLink to={pathTo('adminPolicies', { id: 'new' })} size="sm" icon={<Plus />}>
                  Add policy
                </ButtonLink>
              </div>
            )
          }
        />
      ) : (
        <PolicyPage key={id} id={id} query={query} mayWrite={mayWrite} />
      )}
    </StaffScreen>
  )
}

const columnsWith = (names: ReadonlyMap<string, string>, isStopped: boolean): readonly Column<Policy>[] => [
  {
    name: 'Name',
    isTitle: true,
    cell: ({ id, name, version, writtenBy }) => (
      <span className="wrap-anywhere block min-w-32 max-w-72">
        <Link
          to={pathTo('adminPolicies', { id })}
          className="font-medium underline decoration-1 underline-offset-4"
        >
          {name}
        </Link>
        <span className="block text-soft">
          Version {version} · written by {writtenBy}
        </span>
      </span>
    ),
  },
  { name: 'Mode', cell: ({ mode }) => <ModeBadge {...{ mode, isStopped }} /> },
  {
    name: 'Brands',
    cell: ({ brands }) => (
      <span className="wrap-anywhere block max-w-72">
        {brands
          .map((slug) => names.get(slug) ?? slug)
          .sort((one, other) => one.localeCompare(other))
          .join(', ')}
      </span>
    ),
  },
  { name: 'Up to', isNumber: true, cell: ({ maxFaceValue }) => inDollars(maxFaceValue) },
  {
    name: 'Approved today',
    isNumber: true,
    // The next column has the sum of all policies.
    isFilled: ({ approvedToday, shopToday }) => approvedToday !== shopToday,
    cell: ({ approvedToday }) => inDollars(approvedToday),
  },
  {
    name: 'Limit of the day',
    isNumber: true,
    cell: ({ shopToday, shopLimit }) => `${inDollars(shopToday)} of ${inDollars(shopLimit)}`,
  },
]

/** Asks nothing: stopping is urgent, and can be taken back. */
function StopButton() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(routes.stopPolicies, {}),
    onSuccess: () => toast({ title: 'Policies Stopped', description: 'People decide on every card now.' }),
    onError: toastFailure('Not Stopped', 'The policies could not be stopped.'),
    onSettled: () => refresh(client, routes.policies, routes.auditLog),
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      className="border-negative text-negative"
      loading={isPending}
      onClick={() => mutate()}
      icon={<OctagonX />}
    >
      Stop all policies
    </Button>
  )
}

function Stopped({ at, mayStart }: { at: string; mayStart: boolean }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Notice
        tone="caution"
        title="All policies are stopped"
        action={
          mayStart && (
            <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
              Start policies again
            </Button>
          )
        }
      >
        People decide on every card since <Time at={at} as="dateTime" />. Shadow mode goes on.
      </Notice>
      <ActionDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Start policies again?"
        send={() => call(routes.startPolicies, {})}
        failed="The policies could not be started."
        done={() => ({ title: 'Policies Started' })}
        refreshes={[routes.policies, routes.auditLog]}
        submit="Start policies"
        focusSubmit
      >
        <p>Those that are on approve cards again. Cards that arrived meanwhile stay with people.</p>
      </ActionDialog>
    </>
  )
}
