import { useMutation, useQueryClient } from '@tanstack/react-query'
import { History as HistoryIcon, Undo2 } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { mayMoveFrom } from '#domain/queue.ts'
import { may } from '#domain/roles.ts'
import { type Status, staffStatus } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { Badge } from '#web/kit/Badge.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { AssignMenu } from '../../facts/AssignMenu.tsx'
import { LanguageBadge, StaffStatus, UnlistedBadge } from '../../facts/badges.tsx'
import { payoutWords } from '../../facts/payout-words.ts'
import { Reference } from '../../facts/Reference.tsx'
import { holderAt, keepClaim } from '../../shell/claim.ts'
import { KeyButton } from '../../shell/keys/KeyHint.tsx'
import { RelativeTime } from '../../shell/RelativeTime.tsx'
import { useStaff } from '../../shell/use-staff.ts'
import { SaleDecision } from '../moves/SaleDecision.tsx'
import { BalanceFigure } from './Balance.tsx'
import { SaleSteps } from './SaleSteps.tsx'

interface DetailHeadProps {
  submission: StaffSubmission
  historyShown: boolean
  onHistory: () => void
  onMoved: (to: Status, decided: readonly string[]) => void
}

/** Which submission it is, and the money. */
export function DetailHead({ submission, historyShown, onHistory, onMoved }: DetailHeadProps) {
  const { admin } = useStaff()
  const holder = holderAt(submission.claimedBy, serverNow())
  const mayClaim = mayMoveFrom(admin.role, staffStatus(submission.status))
  return (
    <header className="flex items-center gap-x-3 gap-y-2 px-4 py-2.5 max-sm:flex-wrap lg:px-5">
      <span className="max-sm:hidden">
        <BrandTile name={submission.brandName} size="md" />
      </span>
      <div className="min-w-0 flex-1 gap-0.5 max-sm:contents sm:grid">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 max-sm:flex-1">
          <h2 className="text-lg">{submission.brandName}</h2>
          {submission.unlistedBrand && <UnlistedBadge />}
          <StaffStatus {...submission} />
          {submission.payout?.state === 'returned' && (
            <Badge tone={payoutWords.returned.tone} icon={Undo2}>
              {payoutWords.returned.name}
            </Badge>
          )}
        </div>
        {/* On phones it has a line of its own, below the buttons. */}
        <div className="flex flex-wrap items-center gap-x-2 text-soft text-sm max-sm:order-1 max-sm:w-full">
          <p className="max-sm:whitespace-nowrap">
            <RelativeTime at={submission.createdAt} /> by {submission.user.username}{' '}
            <LanguageBadge locale={submission.user.locale} />
          </p>
          <p>
            <span className="sr-only">Reference</span>
            <Reference id={submission.id} />
          </p>
          {submission.sale && submission.sale.count > 1 && (
            <div className="flex items-center gap-x-2 whitespace-nowrap">
              <SaleSteps sale={submission.sale} />
              <SaleDecision submission={submission} onMoved={onMoved} />
            </div>
          )}
          {mayClaim && (
            // Its place is kept, so that nothing moves when the claim arrives.
            <p className={cx('whitespace-nowrap', holder?.id !== admin.id && 'invisible')}>
              {holder?.assignedBy ? 'Assigned to you' : 'Claimed by you'}
            </p>
          )}
        </div>
      </div>
      <Prices submission={submission} />
      {mayClaim && <Assign submission={submission} />}
      {may(admin.role, 'see_details') && (
        <KeyButton
          action="history"
          variant="quiet"
          size="sm"
          className="-mr-2 px-2"
          title="History"
          aria-pressed={historyShown}
          onClick={onHistory}
          icon={<HistoryIcon />}
        >
          <span className="sr-only">History</span>
        </KeyButton>
      )}
    </header>
  )
}

function Assign({ submission: { id, status, brandName, claimedBy } }: { submission: StaffSubmission }) {
  const client = useQueryClient()
  const { admin } = useStaff()
  const holder = holderAt(claimedBy, serverNow())
  const { mutate } = useMutation({
    mutationFn: (assignedTo: string | null) =>
      call(routes.assignSubmission, { params: { id }, body: { assignedTo } }),
    onSuccess: ({ claimedBy }) => {
      toast({
        title: claimedBy
          ? `Assigned to ${claimedBy.id === admin.id ? 'You' : claimedBy.username}`
          : 'Assigned to Nobody',
        description: brandName,
      })
      keepClaim(client, id, claimedBy)
    },
    onError: toastFailure('Error', 'The submission could not be assigned.'),
  })
  return (
    <AssignMenu
      current={holder?.assignedBy ? holder.id : undefined}
      offersMe
      mayTake={(role) => mayMoveFrom(role, staffStatus(status))}
      onAssign={(assignee) => mutate(assignee)}
    />
  )
}

/** The amount that the seller gets leads. */
function Prices({ submission }: { submission: StaffSubmission }) {
  const { denomination, quote, quotedPrice, offer } = submission
  const isChanged = offer !== null || quote !== quotedPrice
  return (
    <dl className="ml-auto flex gap-x-5 *:grid *:content-between *:sm:justify-items-end max-sm:order-last max-sm:w-full max-sm:justify-between">
      <div>
        <dt className="text-soft text-sm">Face value</dt>
        <dd>
          <Money amount={denomination} className="font-semibold" />
        </dd>
      </div>
      <BalanceFigure submission={submission} />
      {isChanged && (
        <div>
          <dt className="text-soft text-sm">Quote</dt>
          <dd>
            <Money amount={quotedPrice} className="font-semibold" />
          </dd>
        </div>
      )}
      <div>
        <dt className="text-soft text-sm">{offer ? 'Offer' : isChanged ? 'Agreed' : 'Quote'}</dt>
        <dd>
          <Money amount={offer?.amount ?? quote} size="xl" />
        </dd>
      </div>
    </dl>
  )
}
