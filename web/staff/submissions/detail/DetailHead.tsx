import type { StaffSubmission } from '#contract/submissions.ts'
import { monogram } from '#domain/brands.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { Money } from '../../../ui/Money.tsx'
import { Monogram } from '../../../ui/Monogram.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { useNow } from '../../time/use-now.ts'

/** What it is, where it stands, and as the largest figure what the seller gets for it. */
export function DetailHead({ submission }: { submission: StaffSubmission }) {
  const now = useNow(30_000)
  const status = staffStatus(submission.status)
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 p-5">
      <div className="flex min-w-0 items-center gap-4">
        <Monogram letters={monogram(submission.brandName)} size="lg" />
        <div className="grid min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-xl">{submission.brandName}</h2>
            <StatusBadge status={status}>{statusRules[status].label}</StatusBadge>
          </div>
          <p className="text-soft text-sm">
            Submitted <RelativeTime at={submission.createdAt} now={now} /> by {submission.user.username}
          </p>
        </div>
      </div>
      <dl className="grid grid-flow-col grid-rows-[auto_auto] items-baseline gap-x-8 *:contents">
        <div>
          <dt className="self-end text-soft text-sm">Face value</dt>
          <dd>
            <Money amount={submission.denomination} size="xl" />
          </dd>
        </div>
        <div>
          <dt className="self-end text-soft text-sm">Quote</dt>
          <dd>
            <Money amount={submission.quote} size="figure" className="text-accent" />
          </dd>
        </div>
      </dl>
    </header>
  )
}
