import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { Money } from '#web/kit/Money.tsx'
import { StatusBadge } from '#web/kit/StatusBadge.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { useNow } from '../../time/use-now.ts'
import { UnlistedBadge } from '../../UnlistedBadge.tsx'

/** What it is, where it stands, and as the largest figure what the seller gets for it. */
export function DetailHead({ submission }: { submission: StaffSubmission }) {
  const now = useNow(30_000)
  const status = staffStatus(submission.status)
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 px-4 py-3 lg:px-5">
      <div className="flex min-w-0 items-center gap-3">
        <BrandTile name={submission.brandName} size="md" />
        <div className="grid min-w-0 gap-0.5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-lg">{submission.brandName}</h2>
            {submission.unlistedBrand && <UnlistedBadge />}
            <StatusBadge status={status}>{statusRules[status].label}</StatusBadge>
          </div>
          <p className="text-soft text-sm">
            Submitted <RelativeTime at={submission.createdAt} now={now} /> by {submission.user.username}
            <span className="block lg:ml-3 lg:inline">
              <span className="sr-only">Submission ID</span>
              <span className="font-mono text-xs">{submission.id}</span>
            </span>
          </p>
        </div>
      </div>
      <dl className="ml-auto flex items-baseline gap-x-6 *:flex *:items-baseline *:gap-2">
        <div>
          <dt className="text-soft text-sm">Face value</dt>
          <dd>
            <Money amount={submission.denomination} className="font-semibold text-lg" />
          </dd>
        </div>
        <div>
          <dt className="text-soft text-sm">Quote</dt>
          <dd>
            <Money amount={submission.quote} size="xl" className="text-accent" />
          </dd>
        </div>
      </dl>
    </header>
  )
}
