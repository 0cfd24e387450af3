import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Hold, newHold } from '#contract/holds.ts'
import { routes } from '#contract/routes.ts'
import { may } from '#domain/roles.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { ReasonField } from './action-fields.tsx'

type About = { userId: string } | { submissionId: string }

/** What keeps a submission or a seller from being erased and paid, and the buttons that place and lift a hold. */
export function Holds({ about }: { about: About }) {
  const { role } = useStaff().admin
  const mayPlace = may(role, 'place_holds') && (may(role, 'lift_holds') || 'submissionId' in about)
  const query = useQuery({ ...read(routes.holds, { query: about }), staleTime: 0 })
  const [placing, setPlacing] = useState(false)
  const holds = query.data ?? []
  const isOwn = (hold: Hold) => ('userId' in about ? hold.userId !== null : hold.submissionId !== null)
  const what = 'userId' in about ? 'every submission of this seller' : 'this submission'
  return (
    <section aria-label="Legal hold" className="grid content-start gap-2">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
        <h3 className="text-base">Legal hold</h3>
        {mayPlace && query.isSuccess && !holds.some(isOwn) && (
          <Button variant="secondary" size="sm" onClick={() => setPlacing(true)}>
            Place legal hold
          </Button>
        )}
      </div>
      <QueryStatus query={query} noun="the legal holds" />
      {query.isSuccess && holds.length === 0 && (
        <p className="text-soft text-sm">None: data is erased as usual.</p>
      )}
      <ul className="divide-y divide-line empty:hidden">
        {holds.map((hold) => (
          <HoldItem
            key={hold.id}
            hold={hold}
            mayLift={may(role, 'lift_holds') && isOwn(hold)}
            ofSeller={!isOwn(hold)}
          />
        ))}
      </ul>
      <ActionDialog
        open={placing}
        onClose={() => setPlacing(false)}
        title="Place legal hold"
        description={`For a dispute, a legal request or fraud: the data of ${what} is not erased and nothing is paid until a manager lifts the legal hold.`}
        schema={newHold}
        start={{ ...about, reason: '' }}
        send={(body) => call(routes.placeHold, { body })}
        failed="The legal hold could not be placed."
        done={() => ({
          title: 'Legal Hold Placed',
          description: 'Nothing is paid or erased until a manager lifts the legal hold.',
        })}
        refreshes={changedByHolds}
        submit="Place legal hold"
      >
        {(field) => <ReasonField hint="Only staff see it" {...field('reason')} />}
      </ActionDialog>
    </section>
  )
}

/** What placing or lifting a hold changes. */
export const changedByHolds = [
  routes.holds,
  routes.staffSubmission,
  routes.auditLog,
  routes.payouts,
  routes.payout,
  routes.duePayouts,
] as const

/** What a hold is on. */
export function heldBy({ submissionId, userId }: Hold): About {
  return submissionId ? { submissionId } : { userId: userId ?? '' }
}

interface HoldItemProps {
  hold: Hold
  mayLift: boolean
  /** Placed on the seller, and shown for a submission. */
  ofSeller: boolean
}

function HoldItem({ hold, mayLift, ofSeller }: HoldItemProps) {
  const client = useQueryClient()
  const { userId, username } = hold
  const lift = useMutation({
    mutationFn: () => call(routes.liftHold, { body: heldBy(hold) }),
    onSuccess: () =>
      toast({
        title: 'Legal Hold Lifted',
        description: 'The data is erased when its time comes.',
      }),
    onError: toastFailure('Legal Hold Not Lifted', 'The legal hold could not be lifted.'),
    onSettled: () => refresh(client, ...changedByHolds),
  })
  return (
    <li className="grid gap-1 py-2 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold text-caution">
          Legal hold: not paid, not erased
          {ofSeller && userId && (
            <>
              , like all of <TextLink to={pathTo('adminSeller', { id: userId })}>{username}</TextLink>
            </>
          )}
        </p>
        {mayLift && (
          <Button variant="secondary" size="sm" loading={lift.isPending} onClick={() => lift.mutate()}>
            Lift legal hold
          </Button>
        )}
      </div>
      <p className="wrap-anywhere whitespace-pre-line">{hold.reason}</p>
      <p className="text-soft">
        {hold.placedBy} · <RelativeTime at={hold.placedAt} />
      </p>
    </li>
  )
}
